import { ClientError } from '../client-errors.ts';

const invalidAddress = (mend: string): ClientError => new ClientError('invalidParameter', `address ${mend}`);

/** Returns an http or https URL in WHATWG form, without its fragment. @throws ClientError `invalidParameter` */
export function normaliseUrl(address: string): string {
  if (address.length > 2048) throw invalidAddress('must be at most 2048 characters long');
  const url = URL.parse(address);
  if (url === null || !/^https?:\/\//i.test(address)) {
    const isMailbox = /^[^/:@]+@[^/:@]+$/.test(address);
    throw invalidAddress(
      `must be an http or https URL, such as https://receiver.example.org/events${isMailbox ? '; for a mailbox use protocol=email' : ''}`,
    );
  }
  if (url.username !== '' || url.password !== '') throw invalidAddress('must not contain a user name or password');
  url.hash = '';
  return url.href;
}

/** Masks a URL, except for its origin: `https://receiver.example/***`. */
export const maskUrl = (address: string): string => `${URL.parse(address)?.origin ?? ''}/***`;

/** Returns the host of a normalised URL: `receiver.example` for `http://receiver.example.:8080/`. */
export const hostOfUrl = (address: string): string => new URL(address).hostname.replace(/\.$/, '');
