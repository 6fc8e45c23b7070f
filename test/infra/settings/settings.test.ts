import { expect, test } from 'vitest';
import { readDeploymentSettings } from '../../../infra/settings/settings.ts';
import { settings } from '../../../shared/contract/settings.ts';

test('readDeploymentSettings returns the default for each missing setting', () => {
  const values = readDeploymentSettings(() => undefined);
  for (const [name, { default: fallback }] of Object.entries(settings)) {
    expect(values[name as keyof typeof settings]).toBe(fallback);
  }
});

const rejected = {
  uinLength: ['7', 'twelve'],
  emailSender: ['not a mailbox'],
  receiverTimeoutSeconds: ['61'],
  deliveryFormat: ['xml'],
  oidcIssuer: ['issuer.example.org'],
  oidcJwksUri: ['http://issuer.example.org/jwks', 'http://localhost@issuer.example.org/jwks'],
  allowedNetworks: [
    ...['10.0.0.0', '10.0.0.0/8;fd00::/8', '10.0.0.0/8,169.254.0.0/16', '169.254.169.254/32'],
    ...['fe80::/64', '::ffff:10.0.0.0/104', '0.0.0.0/0'],
  ],
  hmacSignatures: ['yes'],
  signatureOverlapDays: ['0'],
  oidcAudience: [' , '],
  extraAttributes: ['tribe,uin', 'firstName', 'limit', '1st', 'a.b', 'with blank', 'x'.repeat(65)],
  pauseAfterDays: ['0'],
  language: ['de', 'fr-CA'],
  timeZone: ['Mars/Olympus', '+01:00', ''],
  institutionName: ['a\nBcc: eve@evil.example', 'x'.repeat(101)],
  institutionContact: ['a\u202eb'],
  emailSenderName: ['a\r\nBcc: eve@evil.example'],
  privacyUrl: ['http://registry.example/privacy', 'javascript:alert(1)'],
  logo: ['/etc/logo.png', '../logo.png', 'infra/../../logo.png', 'logo.svg'],
  baseUrl: ['a.example.org', ...['/v1', '/civil/v1/', '?a=b'].map((path) => `https://registry.example.org${path}`)],
};

test.each(Object.entries(rejected).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
  'readDeploymentSettings rejects %s = %s and names the setting',
  (name, value) => {
    expect(() => readDeploymentSettings((asked) => (asked === name ? value : undefined))).toThrow(`setting ${name}`);
  },
);

test.each([
  ['oidcAudience', ' registry , notifications,', ['registry', 'notifications']],
  ['oidcAudience', 'registry', ['registry']],
  ['extraAttributes', 'tribe, prénom,clan_2', ['tribe', 'prénom', 'clan_2']],
  ['extraAttributes', '', []],
] as const)('readDeploymentSettings parses %s = %j into the list %j', (name, value, list) => {
  const values = readDeploymentSettings((asked) => (asked === name ? value : undefined));
  expect(settings[name].schema().parse(values[name])).toEqual(list);
});

test('readDeploymentSettings accepts a letterhead in any script', () => {
  const given: Record<string, string> = {
    language: 'ar',
    timeZone: 'Africa/Khartoum',
    institutionName: 'مصلحة الأحوال المدنية',
    institutionContact: '+249 1 555 0100',
    privacyUrl: 'https://registry.example/privacy?lang=ar',
    emailSenderName: 'État civil – Côte',
    logo: 'infra/stages/prod.logo.png',
  };
  expect(readDeploymentSettings((name) => given[name])).toMatchObject(given);
});
