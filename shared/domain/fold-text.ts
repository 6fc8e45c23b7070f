/**
 * Returns the form of a string that searches compare: Unicode NFKD without marks, case and extra whitespace. The folded
 * forms of `JOSÉ García` and `jose garcia` are equal. Folding is idempotent.
 */
export function foldText(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '');
  // Conversion to upper case folds more letters than conversion to lower case (ß to SS; ς and σ to Σ), except for ẞ.
  // The result may contain new marks, so decompose it again.
  const folded = bare.toLowerCase().toUpperCase().normalize('NFKD').replace(/\p{M}/gu, '');
  return folded.replace(/\s+/gu, ' ').trim();
}
