import { isSameKind } from './choose-document.ts';

interface Move {
  readonly from: string;
  readonly to: string;
  readonly prefix: string;
}

const partsOf = (key: string, uin: string, prefix: string): string[] => key.slice(`${prefix}${uin}/`.length).split('/');

/**
 * Where a document goes whose person is one with another: below the other's UIN, in the same place, under a name that says whose
 * it was. Where the other has a document of this kind with the same second person, too, it goes a folder deeper, where no one is
 * given it: else it would stand in for the other's, as the newer one.
 * @param key `documents/{uin}/{doctype}/{secondaryUin or -}/{file name}`
 * @param present the keys of the documents that the other has
 */
export function movedKey(key: string, { from, to, prefix }: Move, present: readonly string[]): string {
  const [doctype = '', second = '', ...names] = partsOf(key, from, prefix);
  const isTaken = present.some((one) => {
    const [kind = '', other, name = ''] = partsOf(one, to, prefix);
    // Our own, moved by a run that died.
    return isSameKind(kind, doctype) && other === second && !name.startsWith(`${from}~`);
  });
  return `${prefix}${to}/${doctype}/${second}/${isTaken ? 'merged/' : ''}${from}~${names.join('/')}`;
}
