/**
 * The languages of pages and emails, as BCP 47 tags. Each language has a catalogue in shared/presentation/languages.
 */
export const languages = ['en', 'fr', 'es', 'pt', 'ar'] as const;

export type Language = (typeof languages)[number];
