import { describe, expect, it } from 'vitest';
import { population } from '../../../infra/local/demo/population/population.ts';
import { foldText } from '../../../shared/domain/fold-text.ts';
import type { Attributes } from '../../../shared/domain/persons/attributes.ts';
import { personChanges } from '../../../shared/storage/persons/person-changes.ts';
import { personRow } from '../../../shared/storage/persons/rows.ts';
import { persons } from '../../../shared/storage/persons/store.ts';
import { sqsEvent } from '../../harness/lambda-events.ts';
import { loadPersons } from '../../harness/load-persons.ts';
import { after, useAddedIndex } from '../../harness/registry-with.ts';
import { releaseWith } from '../../harness/release-with.ts';

// This command runs the test with 100,000 persons in eight minutes: `REINDEXED=100000 npx vitest run
// test/registry/search/add-index.test.ts`.
const size = Number(process.env.REINDEXED ?? 600);
// The maximum number of rows that the reindexing writes per second. Because of the low rate, there are many pages, and
// writers and searches run between the pages.
const perSecond = Math.min(1000, Math.max(100, size / 20));
const newcomersToBe = 600 + size / 100;
const minute = 60_000;

const { clock, harness, timed, takeSteps, stateOf } = useAddedIndex(perSecond);

describe('adding an index to a running registry', () => {
  const isFound = new Map<string, Set<string>>();
  const people = new Map<string, Attributes>();
  const searchKey = ({ placeOfBirth, lastName }: Attributes) =>
    `${foldText(`${placeOfBirth}`)} ${foldText(`${lastName}`)}`;
  const isSearched = ({ placeOfBirth, lastName }: Attributes) => placeOfBirth !== undefined && lastName !== undefined;

  function forget(uin: string): void {
    const was = people.get(uin);
    if (was !== undefined) isFound.get(searchKey(was))?.delete(uin);
    people.delete(uin);
  }
  function note(uin: string, attributes: Attributes): void {
    forget(uin);
    people.set(uin, attributes);
    isFound.set(searchKey(attributes), (isFound.get(searchKey(attributes)) ?? new Set()).add(uin));
  }

  it('searches find every person at any time, even while functions of the old and the new release write persons', async () => {
    const table = harness.tables.persons;
    const { client } = harness.dynamodb;
    const everybody = [...population({ size: size + newcomersToBe, seed: 7 })];
    const newcomers = everybody.splice(size);
    await loadPersons(client, table, everybody);
    for (const { uin, attributes } of everybody) note(uin, attributes);

    const older = { ...persons.permissions.mint(client, table), ...personChanges.permissions.write(client, table) };
    const { reported, find, reindex, fill } = releaseWith(after, pass);
    const startedAt = clock.now();
    const hashUin = (uin: string) => `hash of ${uin}`;
    const at = (uin: string) => ({ uinHash: hashUin(uin), now: Math.floor(clock.now() / 1000) });
    const used = new Set<unknown>();
    let line = 0;

    async function applyAsOlder(uin: string, attributes: Attributes | undefined): Promise<void> {
      const lastChange = { importId: 'import', line, unchanged: {} };
      const soon = at(uin).now + 60;
      const change = { uin, before: await older.personState(uin, hashUin(uin)), after: attributes, lastChange };
      expect(await older.apply([change], undefined, { now: clock.now(), expiresAt: soon, hashUin })).toEqual({
        is: 'done',
      });
    }
    async function move(uin: string, isOlder: boolean): Promise<void> {
      const attributes = { ...people.get(uin), placeOfBirth: `Elsewhere ${line % 3}` };
      if (isOlder) await applyAsOlder(uin, attributes);
      else await harness.put('persons', personRow(uin, attributes, after));
      note(uin, attributes);
    }
    async function write(): Promise<void> {
      const isOlder = clock.now() - startedAt < 15 * minute;
      const [one, other] = newcomers.splice(0, 2);
      if (one === undefined || other === undefined) throw new Error('no person is left to register');
      if (isOlder) await older.put(one.uin, one.attributes, at(one.uin));
      else await harness.put('persons', personRow(one.uin, one.attributes, after));
      note(one.uin, one.attributes);
      await harness.put('persons', personRow(other.uin, other.attributes, after));
      note(other.uin, other.attributes);
      const uins = [...people.keys()];
      for (const isByOlder of [isOlder, false]) await move(uins[(line++ * 7919) % uins.length] ?? '', isByOlder);
      const gone = uins[(line * 104_729) % uins.length] ?? '';
      await applyAsOlder(gone, undefined);
      forget(gone);
    }
    async function search(): Promise<void> {
      const all = [...people.values()].filter(isSearched);
      const newest = all.slice(-4);
      const some = [
        ...newest,
        ...Array.from({ length: 4 }, (_, index) => all[(line * 31 + index * 1009) % all.length]),
      ];
      harness.interfere({
        wire({ command, input }, go) {
          if (command === 'QueryCommand' || command === 'Query') used.add(input.IndexName);
          return go();
        },
      });
      for (const one of some) {
        if (one === undefined) continue;
        const query = new URLSearchParams({ placeOfBirth: `${one.placeOfBirth}`, lastName: `${one.lastName}` });
        const { status, json } = await harness.call(find, { query: String(query) });
        expect({ status, json }).toEqual({ status: 200, json: [...(isFound.get(searchKey(one)) ?? [])].toSorted() });
      }
      // The new index does not affect searches with other indexes.
      const dated = [...people].filter(([, one]) => one.dateOfBirth !== undefined && one.lastName !== undefined);
      const [uin, { dateOfBirth, lastName }] = dated[line % dated.length] ?? ['', {}];
      const query = new URLSearchParams({ dateOfBirth: `${dateOfBirth}`, lastName: `${lastName}` });
      const { status, json } = await harness.call(find, { query: String(query) });
      expect({ status, json }).toEqual({ status: 200, json: expect.arrayContaining([uin]) });
      harness.interfere({});
    }
    // Collects the errors of the writers and searches separately from the errors of the worker.
    const failed: unknown[] = [];
    async function pass(ms: number): Promise<void> {
      try {
        clock.pass(ms);
        await write();
        await search();
      } catch (error) {
        failed.push(error);
        throw error;
      }
    }

    await pass(0);
    await reindex({});
    const filled: number[] = [];
    for (let steps = await takeSteps(); steps.length > 0; steps = await takeSteps()) {
      expect(steps).toHaveLength(1);
      const [{ payload, delaySeconds = 0 } = { payload: {} }] = steps;
      for (let left = delaySeconds * 1000; left > 0; left -= 2 * minute) await pass(Math.min(left, 2 * minute));
      const { batchItemFailures } = await fill(sqsEvent(payload), timed(13_000));
      expect(failed).toEqual([]);
      expect(batchItemFailures).toEqual([]);
      filled.push(clock.now() - startedAt);
      // Searches use the other indexes until the new index is complete.
      if ((await stateOf())?.run !== undefined) expect([...used].toSorted()).toEqual(['byBirth', 'byName']);
    }
    expect((await stateOf())?.complete).toEqual(['byPlace@1']);
    expect(reported.ended).toEqual([{ complete: ['byPlace@1'], passes: 3 }]);
    expect(filled.at(-1)).toBeGreaterThan(15 * minute);
    used.clear();
    await pass(minute + 1);
    expect([...used].toSorted()).toEqual(['byBirth', 'byPlace']);

    // No removed person has reappeared.
    const rows = (await harness.rows('persons')).map(({ id }) => String(id));
    const uins = rows.flatMap((id) => (id.startsWith('person#') ? [id.slice('person#'.length)] : []));
    expect(uins.toSorted()).toEqual([...people.keys()].toSorted());

    // Withdraws the index, as an operator does before a rollback to the previous release.
    expect(await reindex({ withdraw: 'byPlace' })).toEqual({ complete: '' });
    clock.pass(minute);
    used.clear();
    await older.put('returned', { placeOfBirth: 'Elsewhere 1', lastName: 'Returned' }, at('returned'));
    note('returned', { placeOfBirth: 'Elsewhere 1', lastName: 'Returned' });
    await search();
    expect([...used].toSorted()).toEqual(['byBirth', 'byName']);
  }, 1_800_000);
});
