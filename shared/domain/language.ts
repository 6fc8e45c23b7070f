/** The languages that people are written to in, by their BCP 47 tags; each has its catalogue in shared/presentation/languages. */
export const languages = ['en', 'fr', 'es', 'pt', 'ar'] as const;

export type Language = (typeof languages)[number];
