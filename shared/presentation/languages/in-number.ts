type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/**
 * The sentence for a count, in its grammatical number (CLDR plural rules), with the count in the digits of the language
 * where it reads `#`. Without a form of its own a count has that of `other`.
 */
export const inNumber = (locale: string, count: number, forms: Forms): string =>
  (forms[new Intl.PluralRules(locale).select(count)] ?? forms.other).replace('#', () =>
    new Intl.NumberFormat(locale).format(count),
  );
