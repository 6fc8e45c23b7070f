import type { DocumentPlace } from './document-place.ts';

/** The place of a document of two people, as it is looked up from the other one's side. */
export interface DocumentLink extends DocumentPlace {
  readonly secondaryUin: string;
}

/** The links between two people that places are, each once; a document of one person, or of one with himself, is none. */
export function linksAmong(places: readonly (DocumentPlace | undefined)[]): DocumentLink[] {
  const links = new Map<string, DocumentLink>();
  for (const place of places) {
    if (place?.secondaryUin === undefined || place.secondaryUin === place.uin) continue;
    const { uin, doctype, secondaryUin } = place;
    links.set(`${secondaryUin}/${uin}/${doctype}`, { uin, doctype, secondaryUin });
  }
  return [...links.values()];
}
