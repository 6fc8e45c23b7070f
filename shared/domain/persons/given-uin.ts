import { hasControlCharacters } from '../text.ts';

/** A given UIN stands in paths of URLs and in the names of objects: what would mean something there is none. */
const isPlain = (uin: string): boolean => !/[/\\%?#]|^\.{1,2}$/.test(uin) && !hasControlCharacters(uin);

/**
 * Whether a person may be registered under this text.
 * @param format the deployment's own: the text must match it as a whole
 */
export const isGivenUin = (uin: string, format: RegExp): boolean => isPlain(uin) && format.test(uin);
