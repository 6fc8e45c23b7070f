/** The position in a list of versions at which the next page starts. */
export interface Marker {
  readonly KeyMarker?: string;
  readonly VersionIdMarker?: string;
}

interface Entry {
  readonly Key: string;
  readonly VersionId: string;
  readonly hasContent: boolean;
}

/** The version id of objects in buckets without versioning. */
export const noVersion = 'null';

export const versionEntry = (
  Key: string,
  { number, bytes }: { readonly number: number; readonly bytes: Buffer | undefined },
  isVersioned: boolean,
): Entry => ({ Key, VersionId: isVersioned ? `v${number}` : noVersion, hasContent: bytes !== undefined });

const numberOf = (versionId: string): number => Number(versionId.slice(1));

/** Returns whether an entry comes after the marker in a list sorted by key, with newer versions first. */
export function laterThan({ Key, VersionId }: Entry, { KeyMarker, VersionIdMarker }: Marker): boolean {
  if (KeyMarker === undefined || Key > KeyMarker) return true;
  if (Key < KeyMarker || VersionIdMarker === undefined || VersionIdMarker === noVersion) return false;
  return numberOf(VersionId) < numberOf(VersionIdMarker);
}

/** Returns the entries of an object list. With a delimiter, a folder entry replaces all objects in that folder. */
export function withFolders<Listed extends { readonly Key: string }>(
  objects: readonly Listed[],
  prefix: string,
  delimiter: string | undefined,
): { readonly name: string; readonly object: Listed | undefined }[] {
  const entries = new Map<string, Listed | undefined>();
  for (const object of objects) {
    const end = delimiter === undefined ? -1 : object.Key.indexOf(delimiter, prefix.length);
    if (end < 0) entries.set(object.Key, object);
    else entries.set(object.Key.slice(0, end + 1), undefined);
  }
  return [...entries].map(([name, object]) => ({ name, object }));
}
