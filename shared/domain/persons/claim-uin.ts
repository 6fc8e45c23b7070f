import { Fault } from '../../model/faults.ts';
import { mintUin } from './mint-uin.ts';

/** How an attempt to store a person under a number ended: stored; the number is somebody's, or was; or stored before, as `uin`. */
export type Minted =
  | { readonly is: 'minted' }
  | { readonly is: 'taken' }
  | { readonly is: 'replayed'; readonly uin: string };

const draws = 10;

/**
 * Draws numbers until one is free, and answers the number under which the person now stands.
 * @param length digits of the number
 * @param put stores the person under a number, or says why not
 * @throws when ten numbers in a row are taken
 */
export async function claimUin(
  length: number,
  randomBytes: (count: number) => Uint8Array,
  put: (uin: string) => Promise<Minted>,
): Promise<string> {
  for (let draw = 0; draw < draws; draw++) {
    const uin = mintUin(length, randomBytes);
    const minted = await put(uin);
    if (minted.is === 'minted') return uin;
    if (minted.is === 'replayed') return minted.uin;
  }
  throw new Fault('noFreeNumber', { draws });
}
