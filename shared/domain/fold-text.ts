/**
 * The form in which texts are compared when searching: Unicode NFKD, marks stripped, case folded, white space collapsed
 * and trimmed. `JOSÉ  García` and `jose garcia` are the same. Folding twice changes nothing.
 */
export function foldText(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '');
  // Upper case is the wider fold (ß is SS, ς and σ are Σ), of lower case (ẞ is ß); its results may decompose again.
  const folded = bare.toLowerCase().toUpperCase().normalize('NFKD').replace(/\p{M}/gu, '');
  return folded.replace(/\s+/gu, ' ').trim();
}
