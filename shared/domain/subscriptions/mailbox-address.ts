import { domainToASCII } from 'node:url';
import { ClientError } from '../client-errors.ts';

const invalidAddress = (mend: string): ClientError => new ClientError('invalidParameter', `address ${mend}`);

// The patterns match RFC 5321 addresses. Quoted local parts and address literals are excluded, because attackers use
// them and ordinary mailboxes do not need them. The local part must be ASCII, because SES cannot send to other local
// parts.
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Normalises a mailbox address by converting its domain to lower-case ASCII (IDNA).
 * @throws ClientError `invalidParameter`
 */
export function normaliseMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), domainToASCII(address.slice(at + 1))];
  const normal = `${local}@${domain}`;
  if (normal.length > 254 || local.length > 64)
    throw invalidAddress('must be at most 254 characters long, with at most 64 before the @');
  if (at < 1 || !LOCAL.test(local) || !DOMAIN.test(domain)) {
    const isUrl = /^https?:\/\//i.test(address);
    throw invalidAddress(
      `must be one mailbox address such as name@example.org, in ASCII before the @${isUrl ? '; for a URL use protocol=http' : ''}`,
    );
  }
  return normal;
}

/** Masks a mailbox, except for its first letter and its domain: `a***@example.org`. */
export function maskMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address.slice(0, at);
  return `${first}***${address.slice(at)}`;
}

/**
 * Returns the mailbox in lower case and without tags, because most mail services treat `Ann+news@example.org` like
 * `ann@example.org`. Gmail also ignores dots and has two domains (support.google.com/mail/answer/7436150). Emails are
 * sent to the original address, not to the returned address.
 */
export function foldMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at).toLowerCase(), address.slice(at + 1)];
  // A local part that begins with `+` has no tag.
  const name = local.split('+')[0] || local;
  return /^(gmail|googlemail)\.com$/.test(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
