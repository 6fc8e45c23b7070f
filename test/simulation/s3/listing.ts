/** Where a list of versions goes on. */
export interface Marker {
  readonly KeyMarker?: string;
  readonly VersionIdMarker?: string;
}

interface Entry {
  readonly Key: string;
  readonly VersionId: string;
  readonly hasContent: boolean;
}

/** The id of an object's version where S3 keeps none. */
export const noVersion = 'null';

/** A version as a list of versions has it. */
export const versionEntry = (
  Key: string,
  { number, bytes }: { readonly number: number; readonly bytes: Buffer | undefined },
  isVersioned: boolean,
): Entry => ({ Key, VersionId: isVersioned ? `v${number}` : noVersion, hasContent: bytes !== undefined });

const numberOf = (versionId: string): number => Number(versionId.slice(1));

/** Whether a list that is in the order of keys, newest first, has an entry after its marker: that one may be gone by now. */
export function laterThan({ Key, VersionId }: Entry, { KeyMarker, VersionIdMarker }: Marker): boolean {
  if (KeyMarker === undefined || Key > KeyMarker) return true;
  if (Key < KeyMarker || VersionIdMarker === undefined || VersionIdMarker === noVersion) return false;
  return numberOf(VersionId) < numberOf(VersionIdMarker);
}

/** What a list of objects has by the delimiter that was asked for: the objects, and in place of those further below a folder each. */
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
