/**
 * Where a document goes whose person is one with another: below the other's UIN, in the same place, under a name that says whose
 * it was. Where the other has a document in that place, too, it goes a folder deeper, where no one is given it: else it would
 * stand in for the other's, as the newer one.
 * @param key `documents/{uin}/{doctype}/{secondaryUin or -}/{file name}`
 * @param present the keys of the documents that the other has
 */
export function movedKey(
  key: string,
  { from, to, prefix }: { readonly from: string; readonly to: string; readonly prefix: string },
  present: readonly string[],
): string {
  const [doctype = '', second = '', ...names] = key.slice(`${prefix}${from}/`.length).split('/');
  const place = `${prefix}${to}/${doctype}/${second}/`;
  const name = `${from}~${names.join('/')}`;
  const isTaken = present.some((one) => one.startsWith(place) && !one.startsWith(`${place}${from}~`));
  return isTaken ? `${place}merged/${name}` : `${place}${name}`;
}
