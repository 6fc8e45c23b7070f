/*
 * Promise: a resumed import rejects the same changes as it would have without the interruption, even if later lines
 * have changed the registry. If another file with the same content completes an interrupted import, both files get a
 * report. A run whose lease has expired stops as soon as another run has taken over its file. If the file of an
 * interrupted import is deleted, the import does not block other imports, even if a late request locks it again.
 */
import { expect, it } from 'vitest';
import { importTimes } from '../../shared/domain/imports/import-limits.ts';
import { useClock } from '../harness/clock.ts';
import { merge, ndjson, nextChunk, register, update, useImports } from '../harness/import-harness.ts';
import type { Call } from '../harness/interference.ts';

const clock = useClock();
const imports = useImports();

it('both files get a report if another file with the same content completes an interrupted import', async () => {
  const file = ndjson(register('E-1'));
  await imports.put('imports/first.ndjson', file);
  await imports.put('imports/second.ndjson', file);
  await imports.tellAndDie('imports/first.ndjson', ({ command }) => command === 'PutItem');
  clock.pass(importTimes.visibilitySeconds * 1000);
  await imports.tell('imports/second.ndjson');
  await imports.goOn();
  expect(await imports.report('imports/first.ndjson')).toMatchObject({ applied: { register: 1 } });
  expect(await imports.report('imports/second.ndjson')).toMatchObject({
    ...{ lines: 0, repeats: { file: 'imports/first.ndjson' } },
  });
});

it('a resumed import still rejects a merge, even if a later line has registered the duplicate', async () => {
  await imports.apply(register('F-1'));
  await imports.put('imports/merge.ndjson', ndjson(merge('F-1', 'F-2'), register('F-2')));
  const isRegistered = ({ input }: Call) => JSON.stringify(input).includes('"person#F-2"') && 'Item' in input;
  await imports.tellAndDie('imports/merge.ndjson', isRegistered);
  clock.pass(importTimes.visibilitySeconds * 1000);
  await imports.tell('imports/merge.ndjson');
  await imports.goOn();
  expect(await imports.report('imports/merge.ndjson')).toMatchObject({
    applied: { register: 1, merge: 0 },
    rejected: 1,
  });
});

it('if its file was deleted, an interrupted import ends when S3 sends the file event again, and the next import starts', async () => {
  await imports.put('imports/taken.ndjson', ndjson(register('H-1')));
  await imports.tellAndDie('imports/taken.ndjson', ({ input }) => JSON.stringify(input).includes('"import#lock"'));
  await imports.remove('imports/taken.ndjson');
  clock.pass(importTimes.visibilitySeconds * 1000);
  await imports.tell('imports/taken.ndjson');
  await imports.goOn();
  expect(await imports.report('imports/taken.ndjson')).toMatchObject({ unreadable: expect.any(String) });
  expect(await imports.apply(register('H-2'))).toMatchObject({ applied: { register: 1 } });
});

it('an import starts even if a late request has locked an import that has already ended', async () => {
  let lockAgain = async (): Promise<unknown> => undefined;
  imports.interfere({
    call({ input }, go) {
      if (JSON.stringify(input).includes('holder') && !JSON.stringify(input).includes('REMOVE')) lockAgain = go;
      return go();
    },
  });
  await imports.apply(register('J-1'));
  imports.interfere({});
  await lockAgain();
  expect(await imports.apply(register('J-2'))).toMatchObject({ applied: { register: 1 } });
});

it('a run of an import stops after another run has taken over its file', async () => {
  const change = (status: string) => update('G-1', { status });
  await imports.apply(register('G-1', { status: 'alive' }));
  await imports.put('imports/hangs.ndjson', ndjson(change('missing')) + nextChunk + ndjson(change('found')));
  const [hanging, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  imports.interfere({
    async call({ command, input }, go) {
      if (command === 'UpdateItem' && JSON.stringify(input).includes('counts')) {
        imports.interfere({});
        hanging.resolve();
        await goesOn.promise;
      }
      return go();
    },
  });
  const first = imports.tell('imports/hangs.ndjson');
  await hanging.promise;
  clock.pass(importTimes.leaseSeconds * 1000);
  await imports.tell('imports/hangs.ndjson');
  expect(await imports.report('imports/hangs.ndjson')).toMatchObject({ applied: { update: 2 } });
  await imports.apply(change('lost'));
  goesOn.resolve();
  expect(await first).toEqual({ batchItemFailures: [] });
  await imports.goOn();
  expect(await imports.people()).toEqual({ 'G-1': { status: 'lost' } });
  expect(await imports.report('imports/hangs.ndjson')).toMatchObject({ applied: { update: 2 } });
});
