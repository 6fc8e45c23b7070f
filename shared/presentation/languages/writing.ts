type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/**
 * Returns a function that returns the sentence for a count in the correct grammatical number (CLDR plural rules). `#`
 * becomes the count in the digits of the language. A count without its own form uses `other`.
 */
export const inNumber =
  (locale: string, forms: Forms) =>
  (count: number): string =>
    (forms[new Intl.PluralRules(locale).select(count)] ?? forms.other).replace('#', () =>
      new Intl.NumberFormat(locale).format(count),
    );

/** Returns the rules of writing that most of our languages share. */
export const usualWriting = (locale: string) => ({
  direction: 'ltr' as 'ltr' | 'rtl',
  quoted: (words: string) => `«${words}»`,
  listed: (words: readonly string[]) => new Intl.ListFormat(locale).format(words),
  /** Introduces the next line, such as a link. */
  introducing: (words: string) => `${words}:`,
});
