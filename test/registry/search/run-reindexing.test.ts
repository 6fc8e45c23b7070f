import { DeleteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { population } from '../../../infra/local/demo/population/population.ts';
import { keyChange } from '../../../shared/domain/persons/added-indexes.ts';
import type { Attributes } from '../../../shared/domain/persons/attributes.ts';
import { foldAttributes } from '../../../shared/domain/persons/plan-search.ts';
import { toItem } from '../../../shared/storage/dynamo.ts';
import { indexing } from '../../../shared/storage/persons/indexing.ts';
import { personKey, personRow } from '../../../shared/storage/persons/rows.ts';
import { sqsEvent } from '../../harness/lambda-events.ts';
import { loadPersons } from '../../harness/load-persons.ts';
import { createMortalProcess, type When } from '../../harness/mortal-process.ts';
import { after, before, useAddedIndex } from '../../harness/registry-with.ts';
import { releaseWith } from '../../harness/release-with.ts';

const minute = 60_000;
const { clock, harness, timed, takeSteps, stateOf } = useAddedIndex(100);
const justPass = async (ms: number): Promise<void> => clock.pass(ms);

describe('a run', () => {
  const few = [...population({ size: 5, seed: 7 })];
  const load = () => loadPersons(harness.dynamodb.client, harness.tables.persons, few);
  beforeEach(load);

  /**
   * Processes all steps of the reindexing run. `fill` processes a step and returns whether the step succeeded. Failed
   * steps are repeated.
   */
  async function run(fill: (step: unknown) => Promise<boolean>): Promise<void> {
    for (let steps = await takeSteps(), rounds = 0; steps.length > 0; steps = await takeSteps(), rounds++) {
      expect(rounds).toBeLessThan(50);
      for (const { payload, delaySeconds } of steps) {
        clock.pass(delaySeconds * 1000);
        while (!(await fill(payload)));
      }
    }
  }
  async function wrong(): Promise<object[]> {
    const rows = (await harness.rows('persons')).filter(({ id }) => String(id).startsWith('person#'));
    expect(rows).toHaveLength(few.length);
    return rows.filter((row) =>
      keyChange(foldAttributes(row.attributes as Attributes), row as Record<string, string>, after),
    );
  }
  const { reindex, fill } = releaseWith(after, justPass);
  const done = async (step: unknown) => (await fill(sqsEvent(step), timed(60_000))).batchItemFailures.length === 0;

  it.each<When>(['before', 'after'])(
    'a reindexing run reaches the same final state even if the worker crashes %s any of its calls',
    async (when) => {
      for (let at = 0, isOver = false; !isOver; at++) {
        await harness.reset();
        await load();
        await reindex({});
        const dying = createMortalProcess(at, when);
        harness.interfere(dying.interference);
        await run(async (step) => {
          if (dying.hasStruck()) return done(step);
          const ended = await Promise.race([done(step), dying.death.then(() => false)]);
          if (!ended) harness.interfere({});
          return ended;
        });
        harness.interfere({});
        isOver = !dying.hasStruck();
        expect(await wrong()).toEqual([]);
        expect(await stateOf()).toEqual({ version: expect.any(String), complete: ['byPlace@1'] });
        if (isOver) expect(at).toBeGreaterThan(15);
      }
    },
  );

  it('a reindexing run continues when the job is invoked again, but only one of two concurrent steps queues the next step', async () => {
    const first = await reindex({});
    const second = await reindex({});
    expect(second).toEqual(first);
    const [one, other] = await takeSteps();
    const both = sqsEvent(one?.payload);
    await Promise.all([fill(both, timed(60_000)), fill(sqsEvent(other?.payload), timed(60_000))]);
    expect(await takeSteps()).toHaveLength(1);
  });

  /** Changes or removes the first person after the reindexing run has read, but not yet written, the person. */
  async function outrunBy(write: (uin: string) => Promise<unknown>): Promise<string> {
    await reindex({});
    let isFirst = true;
    const [{ uin } = { uin: '' }] = few;
    harness.interfere({
      async call({ command, input }, go) {
        if (command === 'UpdateItem' && isFirst && JSON.stringify(input.Key).includes(`"person#${uin}"`)) {
          isFirst = false;
          await write(uin);
        }
        return go();
      },
    });
    const [step] = await takeSteps();
    await done(step?.payload);
    expect(isFirst).toBe(false);
    return uin;
  }

  it('a reindexing run does not overwrite a person who was changed concurrently, and checks the person again', async () => {
    const other = (uin: string) => personRow(uin, { placeOfBirth: 'Oslo' }, before);
    const uin = await outrunBy((uin) => harness.put('persons', other(uin)));
    const [row] = await wrong();
    expect(toItem(row ?? {})).toEqual(other(uin));
    await run(done);
    expect(await wrong()).toEqual([]);
  });

  it('a reindexing run does not restore a person who was removed concurrently', async () => {
    const { client } = harness.dynamodb;
    const uin = await outrunBy((uin) =>
      client.send(new DeleteItemCommand({ TableName: harness.tables.persons, Key: personKey(uin) })),
    );
    await run(done);
    const ids = (await harness.rows('persons')).map(({ id }) => id);
    expect(ids).not.toContain(`person#${uin}`);
    expect(ids).toHaveLength(few.length - 1 + 1);
    expect(ids).toContain('indexes');
  });

  it('a reindexing run removes a key that a function of the old release wrote', async () => {
    const [{ uin } = { uin: '' }] = few;
    const stale = {
      ...personRow(uin, { lastName: 'Ås' }, after),
      placeOfBirthKey: { S: 'oslo' },
      lastNameSort: { S: '=as' },
    };
    await harness.put('persons', stale);
    await reindex({});
    await run(done);
    const { Item } = await harness.dynamodb.client.send(
      new GetItemCommand({ TableName: harness.tables.persons, Key: { id: { S: `person#${uin}` } } }),
    );
    const keys = Object.keys(Item ?? {}).filter((name) => /(?:Key|Sort)$/.test(name));
    expect(keys.toSorted()).toEqual(['firstNameSort', 'lastNameKey']);
  });

  it('a repeated reindexing request checks all persons again, because the old release may have written some in the meantime', async () => {
    await reindex({});
    const [first] = await takeSteps();
    await done(first?.payload);
    // Stores a state in which the last pass has begun and has read every person.
    clock.pass(16 * minute);
    const state = await stateOf();
    const last = few.map(({ uin }) => `person#${uin}`);
    const past = (await harness.rows('persons')).map(({ id }) => String(id)).filter((id) => last.includes(id));
    const { run: begun, version } = state ?? {};
    if (begun === undefined) throw new Error('no run is begun');
    const indexState = indexing.permissions.change(harness.dynamodb.client, harness.tables.persons);
    expect(
      await indexState.putIndexState({ version: 'm', complete: [], run: { ...begun, after: past.at(-1) } }, version),
    ).toBe(true);
    await takeSteps();
    await load();
    expect(await wrong()).toHaveLength(few.length);

    clock.pass(24 * 60 * minute);
    expect(await reindex({})).toMatchObject({ run: begun.id, pass: 2 });
    await run(done);
    expect(await wrong()).toEqual([]);
    expect((await stateOf())?.complete).toEqual(['byPlace@1']);
  });

  it("an earlier release does not continue a later release's reindexing run and completes no index", async () => {
    await reindex({});
    const [step] = await takeSteps();
    const { fill } = releaseWith({ ...before, byPlace: { ...after.byPlace, added: '0' } }, justPass);
    const { batchItemFailures } = await fill(sqsEvent(step?.payload), timed(60_000));
    expect(batchItemFailures).toHaveLength(1);
    expect(harness.lines.error.join()).toContain('unknownIndexOfRun');
    harness.lines.error.length = 0;
    expect(await wrong()).toHaveLength(few.length);
    expect((await stateOf())?.complete).toEqual([]);
  });

  it("a later release continues an earlier release's reindexing run and needs a separate run for an additional index", async () => {
    const both = { byPlaceAndName: { partition: 'placeOfBirth', sort: 'firstName', added: '2' }, ...after };
    const later = releaseWith(both, justPass);
    await reindex({});
    await run(async (step) => (await later.fill(sqsEvent(step), timed(60_000))).batchItemFailures.length === 0);
    expect((await stateOf())?.complete).toEqual(['byPlace@1']);
    expect(await wrong()).toEqual([]);

    expect(await later.reindex({})).toMatchObject({ indexes: 'byPlaceAndName@2 byPlace@1', pass: 1 });
    expect((await stateOf())?.complete).toEqual(['byPlace@1']);
    expect(await reindex({})).toMatchObject({ indexes: 'byPlace@1', pass: 1 });
  });

  it('a reindexing run removes indexes that the release does not have from the list of complete indexes', async () => {
    await reindex({});
    await run(done);
    expect((await stateOf())?.complete).toEqual(['byPlace@1']);
    await releaseWith(before, justPass).reindex({});
    expect((await stateOf())?.complete).toEqual([]);
  });

  it('a reindexing run ends if its index is withdrawn', async () => {
    await reindex({});
    await reindex({ withdraw: 'byPlace' });
    const [step] = await takeSteps();
    expect(await done(step?.payload)).toBe(true);
    expect(await takeSteps()).toEqual([]);
    expect(await stateOf()).toEqual({ version: expect.any(String), complete: [] });
  });

  it('reindex rejects the withdrawal of an unknown index', async () => {
    await reindex({});
    await expect(reindex({ withdraw: 'byPlac' })).rejects.toThrow(/unknownIndex/);
    expect((await stateOf())?.run).toBeDefined();
    harness.lines.error.length = 0;
  });

  it('a reindexing run waits until DynamoDB has built the index', async () => {
    const unbuilt = { ...after, byNobody: { partition: 'gender', sort: 'status', added: '1' } };
    const { reported, reindex, fill } = releaseWith(unbuilt, justPass);
    await reindex({});
    for (const delaySeconds of [0, 900, 300, 300]) {
      const [step] = await takeSteps();
      expect(step).toMatchObject({ delaySeconds });
      clock.pass(delaySeconds * 1000);
      expect(await fill(sqsEvent(step?.payload), timed(60_000))).toEqual({ batchItemFailures: [] });
    }
    expect(reported.waiting).toHaveLength(3);
    expect((await stateOf())?.complete).toEqual([]);
    clock.pass(24 * 60 * minute);
    const [step] = await takeSteps();
    expect((await fill(sqsEvent(step?.payload), timed(60_000))).batchItemFailures).toHaveLength(1);
    expect(harness.lines.error.splice(0)).toEqual([expect.stringContaining('"error":"indexNeverBuilt"')]);
    expect((await stateOf())?.run).toMatchObject({ id: step?.payload.run });
  });

  it('a reindexing run fails and reports the failure if DynamoDB denies queries on the index', async () => {
    const { reported, reindex, fill } = releaseWith(after, justPass);
    await reindex({});
    harness.interfere({
      call: async ({ command }, go) => {
        if (command === 'Query') throw Object.assign(new Error('no'), { name: 'AccessDeniedException' });
        return go();
      },
    });
    const ends: number[] = [];
    for (let steps = await takeSteps(); steps.length > 0; steps = await takeSteps()) {
      for (const { payload, delaySeconds } of steps) {
        clock.pass(delaySeconds * 1000);
        ends.push((await fill(sqsEvent(payload), timed(60_000))).batchItemFailures.length);
      }
    }
    expect(ends).toEqual([0, 1]);
    expect(reported).toMatchObject({ waiting: [], ended: [] });
    expect(harness.lines.error.splice(0)).toEqual([expect.stringContaining('"error":"AccessDeniedException"')]);
  });
});
