/**
 * Returns the form in which searches compare a string: Unicode NFKD without marks, case differences or extra
 * whitespace. The folded forms of `JOSÉ García` and `jose garcia` are equal. Folding is idempotent.
 */
export function foldText(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '');
  // Conversion to upper case folds more letters than conversion to lower case (ß to SS; ς and σ to Σ), except for ẞ.
  // The result may contain new marks, so decompose it again.
  const folded = bare.toLowerCase().toUpperCase().normalize('NFKD').replace(/\p{M}/gu, '');
  return folded.replace(/\s+/gu, ' ').trim();
}
