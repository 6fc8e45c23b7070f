import { keyedHash } from '../name-uuid.ts';
import { namingKey } from '../naming-key.ts';

export type HashUin = (uin: string) => string;

/** Returns a function that hashes UINs. Retired UINs are stored only as hashes. @param naming the `naming` secret */
export function uinHasher(naming: string): HashUin {
  const key = namingKey(naming, 'retired UINs');
  return (uin) => keyedHash(key, uin);
}
