type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/**
 * Returns the sentence for a count in the correct grammatical number (CLDR plural rules). `#` becomes the count in the
 * digits of the language. A count without its own form uses `other`.
 */
export const inNumber = (locale: string, count: number, forms: Forms): string =>
  (forms[new Intl.PluralRules(locale).select(count)] ?? forms.other).replace('#', () =>
    new Intl.NumberFormat(locale).format(count),
  );
