import { generateKeyPairSync, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** Encodes a value in DER: tag, length and content (X.690 section 8.1). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const ed25519 = sequence(Buffer.from('06032b6570', 'hex'));
const commonName = (name: string) =>
  sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(name)))));
const utcTime = (at: number) =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

const day = 24 * 3600 * 1000;

// Encodes a DNS name or an IPv4 address (RFC 5280 section 4.2.1.6).
const generalName = (name: string) =>
  isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name));

/**
 * Creates a key and a self-signed certificate (RFC 5280, RFC 8410) for a DNS name or an IPv4 address, both in PEM
 * format. Times are epoch milliseconds.
 */
export function selfSigned(name: string, from = Date.now() - day, until = Date.now() + day) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const alternativeName = sequence(Buffer.from('0603551d11', 'hex'), der(0x04, sequence(generalName(name))));
  const toSign = sequence(
    der(0xa0, Buffer.from('020102', 'hex')),
    der(0x02, Buffer.from([1])),
    ed25519,
    commonName(name),
    sequence(utcTime(from), utcTime(until)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeName)),
  );
  const signature = der(0x03, Buffer.from([0]), sign(null, toSign, privateKey));
  const base64 = sequence(toSign, ed25519, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}
