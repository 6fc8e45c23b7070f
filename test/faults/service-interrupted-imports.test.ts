/*
 * Promise: What an import has refused before it died it refuses again, whatever its later lines have done meanwhile; and a file
 * of the same bytes that brings it to its end leaves none of them without a report. A run whose lease is over while it hangs goes
 * no further once another has taken its place. A file that is taken away while its import is dead keeps no other from its turn.
 */
import { expect, it } from 'vitest';
import { importTimes } from '../../shared/domain/imports/import-limits.ts';
import { useClock } from '../harness/clock.ts';
import { ndjson, nextChunk, useImports } from '../harness/import-harness.ts';
import { mortal } from '../harness/mortal-process.ts';

const clock = useClock();
const imports = useImports();

it('reports under both names when another file of the same bytes brings a dead import to its end', async () => {
  await imports.reset();
  const file = ndjson({ change: 'register', uin: 'E-1', attributes: { firstName: 'Eve' } });
  await imports.put('imports/first.ndjson', file);
  await imports.put('imports/second.ndjson', file);
  const dying = mortal(({ command }) => command === 'PutItem', 'after');
  imports.interfere(dying.interference);
  await Promise.race([imports.tell('imports/first.ndjson'), dying.death]);
  imports.interfere({});
  clock.pass(importTimes.visibilitySeconds * 1000);
  await imports.tell('imports/second.ndjson');
  await imports.goOn();
  expect(await imports.report('imports/first.ndjson')).toMatchObject({ applied: { register: 1 } });
  expect(await imports.report('imports/second.ndjson')).toMatchObject({
    ...{ lines: 0, repeats: { file: 'imports/first.ndjson' } },
  });
});

it('refuses a merge again when it comes again, though a later line has registered the duplicate', async () => {
  await imports.reset();
  const register = (uin: string) => ({ change: 'register', uin, attributes: { firstName: 'Ada' } });
  await imports.import('imports/kept.ndjson', ndjson(register('F-1')));
  const lines = [{ change: 'merge', keep: 'F-1', duplicates: ['F-2'] }, register('F-2')];
  await imports.put('imports/merge.ndjson', ndjson(...lines));
  const dying = mortal(({ input }) => JSON.stringify(input).includes('"person#F-2"') && 'Item' in input, 'after');
  imports.interfere(dying.interference);
  await Promise.race([imports.tell('imports/merge.ndjson'), dying.death]);
  expect(dying.hasStruck()).toBe(true);
  imports.interfere({});
  clock.pass(importTimes.visibilitySeconds * 1000);
  await imports.tell('imports/merge.ndjson');
  await imports.goOn();
  expect(await imports.report('imports/merge.ndjson')).toMatchObject({
    applied: { register: 1, merge: 0 },
    refused: 1,
  });
});

it('ends, and gives the turn to the next, when what S3 told comes again and its file was taken away', async () => {
  await imports.reset();
  await imports.put(
    'imports/taken.ndjson',
    ndjson({ change: 'register', uin: 'H-1', attributes: { firstName: 'Eve' } }),
  );
  const dying = mortal(({ input }) => JSON.stringify(input).includes('"import#turn"'), 'after');
  imports.interfere(dying.interference);
  await Promise.race([imports.tell('imports/taken.ndjson'), dying.death]);
  imports.interfere({});
  await imports.remove('imports/taken.ndjson');
  clock.pass(importTimes.visibilitySeconds * 1000);
  await imports.tell('imports/taken.ndjson');
  await imports.goOn();
  expect(await imports.report('imports/taken.ndjson')).toMatchObject({ unreadable: expect.any(String) });
  const next = ndjson({ change: 'register', uin: 'H-2', attributes: { firstName: 'Ada' } });
  expect(await imports.import('imports/next.ndjson', next)).toMatchObject({ applied: { register: 1 } });
});

it('goes no further with a file whose next run has begun meanwhile', async () => {
  await imports.reset();
  const change = (status: string) => ({ change: 'update', uin: 'G-1', attributes: { status } });
  await imports.import('imports/g.ndjson', ndjson({ ...change('alive'), change: 'register' }));
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
  await imports.import('imports/lost.ndjson', ndjson(change('lost')));
  goesOn.resolve();
  expect(await first).toEqual({ batchItemFailures: [] });
  await imports.goOn();
  expect(await imports.people()).toEqual({ 'G-1': { status: 'lost' } });
  expect(await imports.report('imports/hangs.ndjson')).toMatchObject({ applied: { update: 2 } });
});
