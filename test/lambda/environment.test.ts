import { describe, expect, it } from 'vitest';
import { capabilities, variableOf } from '../../shared/contract/capabilities.ts';
import { defineStore } from '../../shared/contract/define-store.ts';
import { type SettingName, settings, settingVariable } from '../../shared/contract/settings.ts';
import { openStores, readSettings } from '../../shared/lambda/environment.ts';

const aStore = () => {
  let clients = 0;
  const store = defineStore({
    name: 'topics',
    client: () => ++clients,
    permissions: {
      read: (_client: number, table: string) => ({ get: () => `get from ${table}` }),
      remove: (_client: number, table: string) => ({ remove: () => `remove from ${table}` }),
    },
  });
  return { store, clients: () => clients };
};

it('openStores provides only the methods that the declared permissions include', () => {
  const { store } = aStore();
  const { topics } = openStores([store], ['topics:read'], { TOPICS_TABLE: 'T' });
  expect([topics.get(), Object.keys(topics)]).toEqual(['get from T', ['get']]);
  const both = openStores([store], ['topics:read', 'topics:remove'], { TOPICS_TABLE: 'T' }).topics;
  expect([both.get(), both.remove()]).toEqual(['get from T', 'remove from T']);
});

it('openStores creates no client for an unused store', () => {
  const { store, clients } = aStore();
  openStores([store], [], {});
  expect(clients()).toBe(0);
});

it('openStores throws an error that names the missing environment variable', () => {
  const { store } = aStore();
  expect(() => openStores([store], ['topics:read'], {})).toThrow('TOPICS_TABLE');
});

it('openStores rejects a capability that the store does not have', () => {
  const store = defineStore({ name: 'topics', client: () => 0, permissions: {} });
  expect(() => openStores([store], ['topics:read'], { TOPICS_TABLE: 'T' })).toThrow('topics:read');
});

describe('readSettings', () => {
  const names = Object.keys(settings) as SettingName[];
  const defaults = Object.fromEntries(names.map((name) => [settingVariable(name), settings[name].default]));

  it.each(names)('accepts the default of %s', (name) => {
    expect(readSettings([name], defaults)).toHaveProperty(name);
  });

  it('converts numbers and lists', () => {
    const read = readSettings(['uinLength', 'extraAttributes'], { UIN_LENGTH: '14', EXTRA_ATTRIBUTES: ' a, b ,,' });
    expect(read).toEqual({ uinLength: 14, extraAttributes: ['a', 'b'] });
  });

  it.each(names)(
    'readSettings throws an error that names the environment variable of %s if the variable is missing',
    (name) => {
      expect(() => readSettings([name], {})).toThrow(settingVariable(name));
    },
  );

  it.each<[SettingName, string]>([
    ['uinLength', '7'],
    ['uinLength', '20'],
    ['uinLength', 'twelve'],
    ['uinLength', ''],
    ['receiverTimeoutSeconds', '61'],
    ['receiverTimeoutSeconds', '0'],
    ['deliveryFormat', 'Raw'],
    ['oidcIssuer', 'issuer.example'],
    ['emailSender', 'no person'],
    ['oidcAudience', ''],
  ])('readSettings throws an error that names the environment variable if %s is %j', (name, value) => {
    const variable = settingVariable(name);
    expect(() => readSettings([name], { [variable]: value })).toThrow(
      new RegExp(`^unacceptableVariable: .*variable ${variable}\\b`),
    );
  });
});

it.each([
  ['topics:read', 'TOPICS_TABLE'],
  ['queues:fanOut', 'FAN_OUT_QUEUE_URL'],
  ['queues:cleanUp', 'CLEAN_UP_QUEUE_URL'],
  ['mail:send', 'EMAIL_SENDER'],
] as const)('variableOf returns the environment variable of %s: %s', (name, variable) => {
  expect(variableOf(capabilities[name])).toBe(variable);
});
