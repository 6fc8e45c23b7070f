import { createPublicKey, sign, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { signingKey, thumbprint } from '../../../shared/delivery/signing/keyring.ts';

it('the derived keys are identical for the same secret and different for different secrets', () => {
  expect(signingKey('a').publicKey).toEqual(signingKey('a').publicKey);
  expect(signingKey('a').hmacKey.equals(signingKey('a').hmacKey)).toBe(true);
  expect(signingKey('b').publicKey.x).not.toBe(signingKey('a').publicKey.x);
  expect(signingKey('b').hmacKey.equals(signingKey('a').hmacKey)).toBe(false);
});

it('the derived keys do not change between releases, because receivers store them', () => {
  expect(signingKey('a secret of tests').publicKey).toEqual({
    kty: 'OKP',
    crv: 'Ed25519',
    x: '37kagqn8f4CM9Asq8j3o7N1p3PYGXbjXa3dddzCJabU',
    kid: 'S8s1y6W5hh4uVQQvJNliHjrrl7wuSiI1y13gAyWKMDs',
    alg: 'EdDSA',
    use: 'sig',
  });
});

it('the derived public key verifies the signatures of the derived private key', () => {
  const { privateKey, publicKey } = signingKey('a');
  const key = createPublicKey({ key: { ...publicKey }, format: 'jwk' });
  const signature = sign(null, Buffer.from('content'), privateKey);
  expect(verify(null, Buffer.from('content'), key, signature)).toBe(true);
  expect(verify(null, Buffer.from('contents'), key, signature)).toBe(false);
});

it('the derived public key contains no private parts', () => {
  const { publicKey } = signingKey('a');
  expect(Object.keys(publicKey)).not.toContain('d');
  expect(createPublicKey({ key: { ...publicKey }, format: 'jwk' }).type).toBe('public');
});

it('the key ID is the thumbprint of the key (RFC 8037, appendix A.3)', () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
  expect(thumbprint(x)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});
