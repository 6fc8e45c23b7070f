import { describe, expect, it } from 'vitest';
import type { Occurrence } from '../../../../infra/local/demo/life/occurrence.ts';
import { simulateLife } from '../../../../infra/local/demo/life/simulate-life.ts';
import { uinAt } from '../../../../infra/local/demo/population/chance.ts';
import { households, population } from '../../../../infra/local/demo/population/population.ts';
import { applyTo } from '../../../../infra/local/demo/registry-copy.ts';
import { parseChange } from '../../../../shared/domain/imports/parse-change.ts';
import type { Attributes } from '../../../../shared/domain/persons/attributes.ts';
import { checkEvent } from '../../../../shared/domain/topics/check-event.ts';
import { eventTypes } from '../../../../shared/domain/topics/event.ts';

const lived = { size: 3000, from: '2026-01-01', until: '2029-01-01' };

/** Returns a function that creates unique, easily recognisable UINs. */
const minting = () => {
  let count = 0;
  return () => uinAt(5_000_000 + count++);
};

const lifeOf = (options: { size: number; seed?: number; from: string; until: string; least?: number }) =>
  Array.fromAsync(simulateLife({ ...options, mint: minting() }));

const importRules = { extraAttributes: [], uinFormat: /^[A-Za-z\d][\w.-]{0,63}$/ };

const daysBetween = (one: string, other: string): number => (Date.parse(other) - Date.parse(one)) / 86_400_000;

/** Returns the persons who are registered and the marriages that exist before the simulation starts. */
function before(seed: number) {
  const registry = new Map<string, Attributes>();
  for (const { uin, attributes } of population({ size: lived.size, seed })) registry.set(uin, attributes);
  const spouses = new Map<string, string>();
  let index = 0;
  for (const { members, couple = [] } of households({ seed })) {
    if (index >= lived.size) break;
    const [one, other] = couple.map((member) => uinAt(index + members.indexOf(member)));
    index += members.length;
    const both = [one, other].map((uin) => registry.get(uin ?? ''));
    if (!one || !other || both.some((known) => known === undefined || known.dateOfDeath)) continue;
    spouses.set(one, other).set(other, one);
  }
  return { registry, spouses, births: new Map<string, string>() };
}

type Known = ReturnType<typeof before>;
type Body = Record<string, string>;

const namedIn = ({ event: { body } }: Occurrence): string[] =>
  Object.entries(body).flatMap(([name, value]) => (name === 'source' ? [] : [value].flat()));

const ageOf = (known: Known, uin = '', date: string): number | undefined => {
  const born = known.registry.get(uin)?.dateOfBirth;
  return born === undefined ? undefined : daysBetween(String(born), date) / 365.25;
};

/** Each function returns why an event of this type contradicts earlier events, or undefined if it does not. */
const inconsistencies: Readonly<Record<string, (known: Known, body: Body, date: string) => unknown>> = {
  marriage({ spouses, ...known }, { uin1 = '', uin2 = '' }, date) {
    const ages = [uin1, uin2].map((uin) => ageOf({ spouses, ...known }, uin, date) ?? 18);
    if (uin1 === uin2 || spouses.has(uin1) || spouses.has(uin2) || Math.min(...ages) < 17.99) return ages;
    spouses.set(uin1, uin2).set(uin2, uin1);
    return undefined;
  },
  liveBirth({ births, ...known }, { uin1 = '' }, date) {
    const age = ageOf({ births, ...known }, uin1, date) ?? 30;
    const since = daysBetween(births.get(uin1) ?? '1900-01-01', date);
    births.set(uin1, date);
    const isMother = known.registry.get(uin1)?.gender !== 1;
    return isMother && age >= 16.9 && age < 47.1 && (since === 0 || since > 280) ? undefined : { age, since };
  },
  death({ spouses, registry }, { uin = '' }, date) {
    const widowed = spouses.get(uin);
    if (widowed !== undefined) spouses.delete(widowed);
    spouses.delete(uin);
    const { dateOfDeath, placeOfDeath, status } = registry.get(uin) ?? {};
    const isWidowed = widowed === undefined || registry.get(widowed)?.spouseName === undefined;
    return dateOfDeath === date && placeOfDeath && status === 'dead' && isWidowed ? undefined : { dateOfDeath };
  },
  adoption: (known, { uin, uin1, uin2 = '' }, date) => {
    const [child = 10, mother = 40] = [uin, uin1].map((one) => ageOf(known, one, date));
    return known.spouses.get(uin1 ?? '') === uin2 && mother - child > 20 ? undefined : { child, mother };
  },
};

const ending: (typeof inconsistencies)[string] = ({ spouses, registry }, { uin1 = '', uin2 = '' }) => {
  const wereMarried = spouses.get(uin1) === uin2;
  for (const uin of [uin1, uin2]) spouses.delete(uin);
  const left = [uin1, uin2].map((uin) => registry.get(uin)?.spouseName).filter((name) => name !== undefined);
  return wereMarried && left.length === 0 ? undefined : { wereMarried, left };
};
const rules: typeof inconsistencies = { ...inconsistencies, divorce: ending, annulment: ending };

describe.each([1, 2, 3, 4, 5])('a simulated life that starts from the seed %i', (seed) => {
  const living = lifeOf({ ...lived, seed });

  it('a simulated life is in chronological order, and all its events and changes are valid', async () => {
    const occurrences = await living;
    expect(occurrences.length).toBeGreaterThan(150);
    const dates = occurrences.map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted());
    expect([(dates[0] ?? '') >= lived.from, (dates.at(-1) ?? '') < lived.until]).toEqual([true, true]);
    for (const { event } of occurrences) checkEvent(event.type, 'civil', JSON.stringify(event.body));
    const lines = occurrences.flatMap(({ changes }) => changes);
    expect(lines.map((line) => parseChange(line, importRules)).filter((read) => 'refused' in read)).toEqual([]);
  });

  it('a simulated life is consistent: no dead person acts, and no person is in two marriages at the same time', async () => {
    const known = before(seed);
    const dead = new Set([...known.registry].filter(([, { dateOfDeath }]) => dateOfDeath).map(([uin]) => uin));
    for (const one of await living) {
      const { type, body } = one.event;
      const told = one.changes.flatMap((change) => ('uin' in change ? [change.uin] : [change.keep]));
      const acting = type === 'duplicatePerson' ? [] : [...namedIn(one), ...told];
      expect(acting.filter((uin) => dead.has(uin))).toEqual([]);
      applyTo(known.registry, one);
      expect(rules[type]?.(known, body as Body, one.date), JSON.stringify(one)).toBeUndefined();
      for (const [uin, { dateOfDeath }] of known.registry) if (dateOfDeath === one.date) dead.add(uin);
      const gone = ['birthCancellation', 'duplicatePerson'].includes(type);
      if (!gone) expect(namedIn(one).filter((uin) => !known.registry.has(uin))).toEqual([]);
    }
  });
});

const from = '2026-01-01';
const yearOf = lifeOf({ size: 60_000, seed: 1, from, until: '2027-01-01' });
const living = [...population({ size: 60_000, seed: 1 })].filter(({ attributes }) => !attributes.dateOfDeath).length;
const countOf = async (type: string) => (await yearOf).filter(({ event }) => event.type === type).length;

it('a simulated year contains events of every type', async () => {
  const types = new Set((await yearOf).map(({ event }) => event.type));
  expect([...eventTypes].filter((type) => !types.has(type))).toEqual([]);
});

it('a simulated year contains realistic numbers of births, deaths, marriages and divorces', async () => {
  const perThousand = async (type: string) => ((await countOf(type)) * 1000) / living;
  const bounds = { liveBirth: [9, 11], death: [9, 11], marriage: [4, 6], divorce: [1.6, 2.4] };
  for (const [type, [least = 0, most = 0]] of Object.entries(bounds)) {
    expect(await perThousand(type), type).toBeGreaterThan(least);
    expect(await perThousand(type), type).toBeLessThan(most);
  }
});

const short = { size: 2000, from: '2026-01-01', until: '2026-05-01' };

it('a simulated life is the same for the same seed and different for another seed', async () => {
  const [one, again, other] = await Promise.all([7, 7, 8].map((seed) => lifeOf({ ...short, seed })));
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

it.each([1, 10, 1000])('a simulated year in a country with %i persons can have at least 300 events', async (size) => {
  const occurrences = await lifeOf({ size, from: '2026-01-01', until: '2027-01-01', least: 300 });
  expect(occurrences.length).toBeGreaterThanOrEqual(300);
  expect(occurrences.length).toBeLessThan(600);
});
