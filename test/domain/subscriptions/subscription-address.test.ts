import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Protocol, protocols } from '../../../shared/domain/subscriptions/subscription.ts';
import { maskAddress, normaliseAddress } from '../../../shared/domain/subscriptions/subscription-address.ts';
import { clientErrorOf } from '../../harness/client-error.ts';

const label = 'a'.repeat(63);

describe('normaliseAddress', () => {
  it.each<[Protocol, string, string]>([
    ['http', 'http://example.org', 'http://example.org/'],
    ['http', '  https://example.org/hook ', 'https://example.org/hook'],
    ['http', 'HTTPS://EXAMPLE.ORG:443/Hook?x=1#part', 'https://example.org/Hook?x=1'],
    ['http', 'http://example.org/a/../b', 'http://example.org/b'],
    ['http', 'http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
    ['http', 'http://[::1]:8080/', 'http://[::1]:8080/'],
    ['http', 'http://münchen.example/é', 'http://xn--mnchen-3ya.example/%C3%A9'],
    ['http', `http://example.org/${'x'.repeat(2048 - 19)}`, `http://example.org/${'x'.repeat(2048 - 19)}`],
    ['email', 'clerk@example.org', 'clerk@example.org'],
    ['email', ' Clerk.Of+births@EXAMPLE.Org ', 'Clerk.Of+births@example.org'],
    ['email', 'clerk@münchen.example', 'clerk@xn--mnchen-3ya.example'],
    ['email', 'clerk@MÜNCHEN.Example', 'clerk@xn--mnchen-3ya.example'],
    ['email', 'clerk@xn--mnchen-3ya.example', 'clerk@xn--mnchen-3ya.example'],
    ['email', 'clerk@例え.テスト', 'clerk@xn--r8jz45g.xn--zckzah'],
    ['email', 'clerk@ｅｘａｍｐｌｅ.org', 'clerk@example.org'],
    ['email', "!#$%&'*+/=?^_`{|}~-@example.org", "!#$%&'*+/=?^_`{|}~-@example.org"],
    ['email', `a@${label}.${label}.example`, `a@${label}.${label}.example`],
  ])('converts the %s address %j to %j', (protocol, address, expected) => {
    expect(normaliseAddress(protocol, address)).toBe(expected);
  });

  const rejected: Readonly<Record<Protocol, readonly (readonly string[])[]>> = {
    http: [
      ['', 'example.org/hook', '/hook', 'http:example.org', 'http:\\\\example.org', 'http://', 'clerk@example.org'],
      ['ftp://example.org/', 'file:///etc/passwd', 'javascript:alert(1)'],
      ['http://user@example.org/', 'http://user:secret@example.org/', 'http://:secret@example.org/'],
      ['http://exa mple.org/', 'http://example.org/\nhost: evil', 'http://exa\tmple.org/', 'http://example.org:99999/'],
      [`http://example.org/${'x'.repeat(2048 - 18)}`],
    ],
    email: [
      ['', 'clerk', '@example.org', 'clerk@', 'mailto:a@example.org', 'Clerk <a@example.org>', 'http://example.org/'],
      ['clerk@localhost', 'clerk@example..org', 'clerk@-example.org', 'clerk@example.org.', 'clerk@exam ple.org'],
      ['clerk@[127.0.0.1]', 'clerk@127.0.0.1', 'clerk@0x7f.1', 'clerk@[::1]'],
      ['"a b"@example.org', 'a..b@example.org', '.a@example.org', 'a b@example.org', 'a@b@example.org'],
      ['a@example.org,b@example.org', 'a@example.org, b@example.org', 'a@example.org;b@example.org'],
      ['a@example.org\r\nBcc: b@example.org', `${'a'.repeat(65)}@example.org`, `a@${label}x.example`],
      [`a@${label}.${label}.${label}.${'b'.repeat(60)}.example`, `clerk@${'ü'.repeat(60)}.example`],
      // The local part must be ASCII, because SES cannot send to mailboxes with other characters.
      ['jürgen@example.org', 'ａ@example.org'],
    ],
  };
  it.each(protocols.flatMap((protocol) => rejected[protocol].flat().map((address) => [protocol, address] as const)))(
    'normaliseAddress rejects the %s address %j with a message that names the parameter',
    async (protocol, address) => {
      const refusal = await clientErrorOf(() => normaliseAddress(protocol, address));
      expect(refusal.errorName).toBe('invalidParameter');
      expect(refusal.message).toMatch(/^address must/);
    },
  );

  it('a mailbox address that normaliseAddress returns is in ASCII and does not change if it is normalised again', () => {
    const hosts = fc.constantFrom('EXAMPLE.org', 'münchen.example', 'Straße.example', '例え.テスト', 'a-b.co.uk');
    const locals = fc.stringMatching(/^[\w!#$%&'*+/=?^`{|}~-]{1,64}$/);
    fc.assert(
      fc.property(locals, hosts, (local, host) => {
        const once = normaliseAddress('email', ` ${local}@${host} `);
        expect(normaliseAddress('email', once)).toBe(once);
        expect(once).toMatch(/^[!-~]+$/);
        expect(once.startsWith(`${local}@`)).toBe(true);
      }),
    );
  });

  it('a URL that normaliseAddress returns does not change if it is normalised again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const once = normaliseAddress('http', url);
        expect(normaliseAddress('http', once)).toBe(once);
        expect(once).not.toContain('#');
      }),
    );
  });
});

it.each([
  ['email', 'amelie.clerk@example.org', 'a***@example.org'],
  ['email', 'x@example.org', 'x***@example.org'],
  ['email', 'émile@exämple.org', 'é***@exämple.org'],
  ['email', '👶baby@example.org', '👶***@example.org'],
  ['http', 'https://receiver.example:8443/hooks/secret?key=4711', 'https://receiver.example:8443/***'],
] as const)('maskAddress shows the %s address %s as %s', (protocol, address, shown) => {
  expect(maskAddress({ protocol, address })).toBe(shown);
});
