/*
 * Promise: an import that crashes at any of its writes continues from the point where it stopped. The test crashes the
 * import before and after each write, while the file is checked and while its lines are applied. Every line is applied
 * once, every event keeps its message ID, and the counts in the report are the same as without a crash. Imports run one
 * at a time and wait when DynamoDB throttles requests.
 */
import { expect, it, vi } from 'vitest';
import { importTimes } from '../../shared/domain/imports/import-limits.ts';
import { useClock } from '../harness/clock.ts';
import { everyNth } from '../harness/every-nth.ts';
import { ndjson, nextChunk, register, useImports } from '../harness/import-harness.ts';
import { createMortalProcess, type When } from '../harness/mortal-process.ts';

const clock = useClock();
const imports = useImports({ changesTopic: 'CR' });

/**
 * Returns the text of the import file for a trial. Some lines are rejected, or ignored as repeats, because of earlier
 * lines.
 */
const fileOf = (trial: string): string => {
  const [a, b, c] = [`A-${trial}`, `B-${trial}`, `C-${trial}`];
  const register = (uin: string | undefined, more: object = {}) => ({
    ...{ change: 'register', uin, attributes: { firstName: 'Ada' }, publish: true },
    ...more,
  });
  const update = (uin: string, attributes: object, more: object = {}) => ({
    change: 'update',
    uin,
    attributes,
    ...more,
  });
  return [
    ndjson(
      update(a, { status: 'not registered yet' }),
      register(a),
      register(a),
      register(b),
      register(undefined),
      register(undefined, { id: `birth-${trial}` }),
      update(a, { status: 'missing' }, { id: `police-${trial}` }),
      update(a, { status: 'missing' }, { id: `police-${trial}` }),
    ),
    nextChunk,
    ndjson(
      update(a, { dateOfDeath: '2026-01-01' }, { publish: true }),
      update(a, { status: null }),
      register(c),
      { change: 'remove', uin: c },
      update(c, { status: 'no longer registered' }),
      { change: 'merge', keep: a, duplicates: [b], publish: true },
      update(b, { status: 'no longer registered' }),
    ),
  ].join('');
};

const isRead = /^(?:Get|List|Query|Head)/;

/** Returns everything that the import of the trial's file has changed. */
async function outcomeOf(trial: string) {
  const people = Object.entries(await imports.people()).filter(([uin]) => uin.endsWith(`-${trial}`));
  const minted = Object.keys(await imports.people()).filter((uin) => /^\d{12}$/.test(uin));
  const report = await imports.report(`imports/${trial}.ndjson`);
  const { lines, applied, repeated, rejected, rejectedLines } = report;
  const publications = imports.payloadsIn<{ notification: { messageId: string } }>('fanOut');
  return {
    people: people.map(([uin, attributes]) => [uin.replace(`-${trial}`, ''), attributes]),
    minted: minted.length,
    counts: { lines, applied, repeated, rejected },
    rejectedLines,
    messages: new Set(publications.map(({ notification }) => notification.messageId)).size,
    rows: (await imports.rows('deliveries')).length,
    documents: (await imports.keys('documents/')).filter((key) => key.includes(trial)).length,
    keptDocument: await imports.read(`documents/B-${trial}/birth/-/b.pdf`),
  };
}

async function prepare(trial: string): Promise<string> {
  await imports.reset();
  await imports.newTopic('CR');
  await imports.put(`documents/B-${trial}/birth/-/b.pdf`, 'birth of B');
  await imports.put(`documents/C-${trial}/birth/-/c.pdf`, 'birth of C');
  const key = `imports/${trial}.ndjson`;
  await imports.put(key, fileOf(trial));
  return key;
}

it.each<When>(['before', 'after'])(
  'an import that crashes %s any of its writes has the same outcome as an import without a crash',
  async (when) => {
    const key = await prepare(`0${when}`);
    const counting = createMortalProcess();
    await imports.interfereDuring(counting.interference, () => imports.tell(key));
    const expected = await outcomeOf(`0${when}`);
    expect(expected).toMatchObject({
      people: [['A', { firstName: 'Ada', dateOfDeath: '2026-01-01' }]],
      ...{ minted: 2, messages: 7, rows: 7, documents: 1, keptDocument: 'birth of B' },
      counts: { lines: 15, applied: { register: 5, update: 3, merge: 1, remove: 1 }, repeated: 1, rejected: 4 },
    });
    // A crash at a read has the same effect as a crash after the preceding write.
    const writes = [...counting.calls.entries()].filter(([, { command }]) => !isRead.test(command));
    expect(writes.length).toBeGreaterThan(25);
    for (const [at, { command }] of everyNth(writes, 8, when === 'before' ? 0 : 4)) {
      const trial = `${at + 1}${when}`;
      const file = await prepare(trial);
      await imports.tellAndDie(file, at, when);
      clock.pass(importTimes.visibilitySeconds * 1000);
      await imports.tell(file);
      await imports.goOn();
      expect(await outcomeOf(trial), `crashed ${when} call ${at}, ${command}`).toEqual(expected);
    }
  },
);

it('an import that crashes ten times while it checks its file has the same report as an import without a crash', async () => {
  const rows = Array.from({ length: 50_000 }, (_, index) => {
    if (index % 7000 === 6999) return `P-${index},no,such,cells`;
    return index % 9 === 0 ? `P-${index},"Rome\r\n"` : `P-${index},Oslo`;
  });
  const text = ['uin,placeOfBirth', ...rows].join('\n');
  const { rejectedLines, unreadable } = await imports.import('imports/undisturbed.update.csv', text);
  expect(rejectedLines.map(({ field }) => field)).toEqual(Array(7).fill('line'));
  expect(rejectedLines.at(-1)?.line).toBe(rows.slice(0, 48_999).join('\n').split('\n').length + 2);
  const key = 'imports/killed.update.csv';
  await imports.put(key, text);
  for (let kill = 0; kill < 10; kill++) {
    const isProgress = ({ input }: { input: object }) => JSON.stringify(input).includes('counts') && 'Key' in input;
    await imports.tellAndDie(key, isProgress, kill % 4 === 3 ? 'after' : 'before');
    clock.pass(importTimes.visibilitySeconds * 1000);
  }
  await imports.tell(key);
  expect(await imports.report(key)).toMatchObject({ lines: 50_000, rejectedLines, unreadable });
  expect(await imports.people()).toEqual({});
});

it('an import does not use up its attempts while it waits for the current import', async () => {
  await imports.put('imports/one.ndjson', ndjson(register('A-1')) + nextChunk + ndjson(register('A-2')));
  await imports.put('imports/two.ndjson', ndjson(register('B-1')));
  // The first run has time for only one chunk.
  await imports.tellUntil('imports/one.ndjson', ({ input }) => JSON.stringify(input).includes('person#A-1'));
  expect(Object.keys(await imports.people())).toEqual(['A-1']);
  expect(imports.messagesIn('imports')).toMatchObject([{ payload: { file: { key: 'imports/one.ndjson' } } }]);
  const [rest] = imports.payloadsIn('imports');
  await imports.purge('imports');
  expect(await imports.tell('imports/two.ndjson')).toEqual({ batchItemFailures: [] });
  expect(imports.messagesIn('imports')).toMatchObject([
    { payload: { file: { key: 'imports/two.ndjson' } }, delaySeconds: 60 },
  ]);
  expect(Object.keys(await imports.people())).toEqual(['A-1']);
  await imports.invoke(rest);
  await imports.goOn();
  expect(Object.keys(await imports.people()).toSorted()).toEqual(['A-1', 'A-2', 'B-1']);
  expect(await imports.report('imports/two.ndjson')).toMatchObject({ lines: 1, applied: { register: 1 } });
});

it('only the run that holds the lease on a file processes the file', async () => {
  await imports.put('imports/twice.ndjson', ndjson(register()));
  await imports.tellAndDie('imports/twice.ndjson', ({ command }) => command === 'TransactWriteItems');
  await imports.tell('imports/twice.ndjson');
  expect(imports.messagesIn('imports')).toMatchObject([{ delaySeconds: 60 }]);
  await expect(imports.report('imports/twice.ndjson')).rejects.toThrow();
  clock.pass(importTimes.leaseSeconds * 1000);
  await imports.goOn();
  expect(await imports.report('imports/twice.ndjson')).toMatchObject({ applied: { register: 1 }, repeated: 0 });
  expect(Object.keys(await imports.people())).toHaveLength(1);
});

it('an import continues over several runs while DynamoDB throttles it, and rejects no line', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => register(`A-${index}`));
  await imports.put('imports/slow.ndjson', ndjson(...lines));
  // Removes the pauses between the attempts of the SDK, so that only the simulated time of the run passes.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  let [leftMs, throttled] = [120_000, 0];
  imports.interfere({
    wire: ({ command, input }, go) => {
      const isOfPerson = command === 'PutItem' && JSON.stringify(input).includes('person#');
      if (!isOfPerson || throttled >= 700) return go();
      throttled += 1;
      leftMs -= 250;
      return Promise.reject(Object.assign(new Error('slow down'), { name: 'ThrottlingException' }));
    },
  });
  expect(await imports.tell('imports/slow.ndjson', () => leftMs)).toEqual({ batchItemFailures: [] });
  const runs = await imports.goOn(
    () => leftMs,
    () => {
      leftMs = 120_000;
    },
  );
  expect(runs).toBeGreaterThan(0);
  expect(throttled).toBe(700);
  expect(await imports.report('imports/slow.ndjson')).toMatchObject({ applied: { register: 40 }, rejected: 0 });
  expect(imports.lines.error).toEqual([]);
});
