import { domainToASCII } from 'node:url';
import { Refusal } from '../../model/refusals.ts';
import type { Protocol } from '../../model/subscriptions/subscription.ts';
import { hasControlCharacters } from '../../model/text.ts';

const refuse = (mend: string): Refusal => new Refusal('invalidParameter', `address ${mend}`);

function normaliseUrl(address: string): string {
  if (address.length > 2048) throw refuse('must be at most 2048 characters long');
  const url = URL.parse(address);
  if (url === null || !/^https?:\/\//i.test(address)) throw refuse('must be an http or https URL');
  if (url.username !== '' || url.password !== '') throw refuse('must not carry a user name or password');
  url.hash = '';
  return url.href;
}

// RFC 5321 without quoted local parts and address literals: no mail service in use needs them, and attackers do. The
// local part is ASCII, because SES cannot send to another.
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;

function normaliseMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), domainToASCII(address.slice(at + 1))];
  const normal = `${local}@${domain}`;
  if (normal.length > 254 || local.length > 64) throw refuse('must be at most 254 characters long, 64 before the @');
  if (at < 1 || !LOCAL.test(local) || !DOMAIN.test(domain)) {
    throw refuse('must be one mailbox address such as name@example.org, in ASCII before the @');
  }
  return normal;
}

/**
 * The one form of an address, which its subscription's uuid is made of: a URL as WHATWG serialises it, without
 * fragment; a mailbox with its domain in lower-case ASCII (IDNA).
 * @throws Refusal `invalidParameter` naming `address`
 */
export function normaliseAddress(protocol: Protocol, address: string): string {
  const trimmed = address.trim();
  if (hasControlCharacters(trimmed)) throw refuse('must not contain control characters');
  return protocol === 'http' ? normaliseUrl(trimmed) : normaliseMailbox(trimmed);
}
