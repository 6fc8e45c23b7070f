import { domainToASCII } from 'node:url';
import { Refusal } from '../../model/refusals.ts';

const refuse = (mend: string): Refusal => new Refusal('invalidParameter', `address ${mend}`);

// RFC 5321 without quoted local parts and address literals: no mail service in use needs them, and attackers do. The
// local part is ASCII, because SES cannot send to another.
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * One mailbox with its domain in lower-case ASCII (IDNA), at most 254 characters.
 * @throws Refusal `invalidParameter` naming `address`
 */
export function normaliseMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), domainToASCII(address.slice(at + 1))];
  const normal = `${local}@${domain}`;
  if (normal.length > 254 || local.length > 64) throw refuse('must be at most 254 characters long, 64 before the @');
  if (at < 1 || !LOCAL.test(local) || !DOMAIN.test(domain)) {
    const isUrl = /^https?:\/\//i.test(address);
    throw refuse(
      `must be one mailbox address such as name@example.org, in ASCII before the @${isUrl ? '; a URL takes protocol=http' : ''}`,
    );
  }
  return normal;
}

/** The first letter and the domain: `a***@example.org`. */
export function maskMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address.slice(0, at);
  return `${first}***${address.slice(at)}`;
}

/**
 * The person behind a normalised mailbox, as most mail services read it: upper case and what follows a plus sign do not
 * count. `Ann+news@example.org` is `ann@example.org`. Of Gmail dots do not count either, and it has two domains
 * (support.google.com/mail/answer/7436150). For limits alone: mail goes to the address as it was given.
 */
export function foldMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at).toLowerCase(), address.slice(at + 1)];
  // A name that begins with the sign has no tag.
  const name = local.split('+')[0] || local;
  return /^(gmail|googlemail)\.com$/.test(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
