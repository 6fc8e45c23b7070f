import { Refusal } from '../../model/refusals.ts';

const refuse = (mend: string): Refusal => new Refusal('invalidParameter', `address ${mend}`);

/**
 * An http or https URL as WHATWG serialises it, without fragment, at most 2048 characters.
 * @throws Refusal `invalidParameter` naming `address`
 */
export function normaliseUrl(address: string): string {
  if (address.length > 2048) throw refuse('must be at most 2048 characters long');
  const url = URL.parse(address);
  if (url === null || !/^https?:\/\//i.test(address)) {
    const isMailbox = /^[^/:@]+@[^/:@]+$/.test(address);
    throw refuse(
      `must be an http or https URL, such as https://receiver.example.org/events${isMailbox ? '; a mailbox takes protocol=email' : ''}`,
    );
  }
  if (url.username !== '' || url.password !== '') throw refuse('must not carry a user name or password');
  url.hash = '';
  return url.href;
}

/** Nothing of a URL behind its host: `https://receiver.example/***`. */
export const maskUrl = (address: string): string => `${URL.parse(address)?.origin ?? ''}/***`;

/** The host of a normalised URL, whatever its port: `receiver.example`, also of `http://receiver.example.:8080/`. */
export const hostOfUrl = (address: string): string => new URL(address).hostname.replace(/\.$/, '');
