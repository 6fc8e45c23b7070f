import { describe, expect, it } from 'vitest';
import { buckets } from '../../shared/contract/buckets.ts';
import {
  actionsOf,
  type Capability,
  type CapabilityName,
  capabilities,
  variableOf,
} from '../../shared/contract/capabilities.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { queues } from '../../shared/contract/queue-names.ts';
import { secrets } from '../../shared/contract/secret-names.ts';
import { type SettingName, settings, settingVariable } from '../../shared/contract/settings.ts';
import { tables } from '../../shared/contract/tables.ts';
import { workers } from '../../shared/contract/workers.ts';
import { everyStore } from '../harness/every-store.ts';

const settingVariables = (Object.keys(settings) as SettingName[]).map(settingVariable);
const names = Object.keys(capabilities) as CapabilityName[];
const storesOf = (name: string) => everyStore.find((store) => store.name === name);

function placeOf(name: CapabilityName): { service: string; place: string; places: string[] } {
  const capability: Capability = capabilities[name];
  if ('table' in capability) return { service: 'dynamodb', place: capability.table, places: Object.keys(tables) };
  if ('queue' in capability) return { service: 'sqs', place: capability.queue, places: Object.keys(queues) };
  if ('secret' in capability) {
    return { service: 'secretsmanager', place: capability.secret, places: Object.keys(secrets) };
  }
  if ('bucket' in capability) return { service: 's3', place: capability.bucket, places: Object.keys(buckets) };
  return { service: 'ses', place: capability.variable, places: settingVariables };
}

describe('the capabilities', () => {
  it.each(names)('every capability refers only to permissions that a store defines: %s', (capability) => {
    const [store = '', permission = ''] = capability.split(':');
    expect(Object.keys(storesOf(store)?.permissions ?? {})).toContain(permission);
  });

  it.each(everyStore)('every permission of the store $name has a capability', ({ name, permissions }) => {
    for (const permission of Object.keys(permissions)) expect(names).toContain(`${name}:${permission}`);
  });

  it.each(names)('every capability grants only actions of one AWS service, without wildcards: %s', (name) => {
    const actions = actionsOf(capabilities[name]);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(new RegExp(`^${placeOf(name).service}:[A-Z][A-Za-z]+$`));
    expect(new Set(actions).size).toBe(actions.length);
  });

  it.each(names)('every capability refers to an existing table, queue, secret, bucket or setting: %s', (name) => {
    const { places, place } = placeOf(name);
    expect(places).toContain(place);
    expect(variableOf(capabilities[name])).toMatch(/^[A-Z_]+$/);
  });

  it('every table, queue, secret, bucket and setting has its own environment variable', () => {
    const variables = new Map(
      names.map((name) => [`${placeOf(name).service} ${placeOf(name).place}`, variableOf(capabilities[name])]),
    );
    expect(new Set(variables.values()).size).toBe(variables.size);
  });

  it('at least one endpoint, worker or job uses each capability', () => {
    const used = new Set<string>([...endpoints, ...workers, ...jobs].flatMap(({ uses }) => uses));
    expect(names.filter((name) => !used.has(name))).toEqual([]);
  });
});
