/*
 * Promise: when a person is removed, the documents of all their UINs are deleted, including those that S3 reports
 * later. Documents that also concern a registered person are kept. Even if a function crashes at a write, all documents
 * of removed persons are deleted and no other document is lost.
 */
import { expect, it } from 'vitest';
import { importTimes } from '../../shared/domain/imports/import-limits.ts';
import { useClock } from '../harness/clock.ts';
import { merge, register, remove, useDocumentImports } from '../harness/document-imports.ts';
import { ndjson } from '../harness/import-harness.ts';
import { createMortalProcess, type When } from '../harness/mortal-process.ts';

const clock = useClock();
const { imports, apply, put, tell } = useDocumentImports();
const stays = ['documents/D-1/marriage/O-1/d.pdf', 'documents/O-1/birth/-/o.pdf', 'documents/O-1/marriage/K-1/o.pdf'];
const goes = ['documents/D-1/birth/-/d.pdf', 'documents/K-1/adoption/D-1/k.pdf', 'documents/R-1/divorce/K-1/r.pdf'];
const late = ['documents/D-1/note/-/late.pdf', 'documents/R-1/marriage/D-1/late.pdf'];
const file = 'imports/removal.ndjson';

async function prepare(): Promise<void> {
  await imports.reset();
  await apply(...['O-1', 'D-1', 'K-1', 'L-1', 'R-1'].map(register), merge('K-1', 'D-1'), merge('L-1', 'K-1'));
  await put(...stays, ...goes);
  await tell(...stays, ...goes);
  await apply(remove('R-1'));
  await imports.put(file, ndjson(remove('L-1')));
}

/** Returns whether a call writes a person, a document, a document link, or the row of a former UIN. */
const isWrite = ({ command, input }: { command: string; input: object }): boolean =>
  /^(?:Transact|Delete)/.test(command) ||
  (/^(?:Put|Update)/.test(command) && /former#|place/.test(JSON.stringify(input)));

/**
 * Runs the function until it ends or crashes, and then runs it again. Returns the number of writes in a run without a
 * crash.
 */
async function crashing(run: () => Promise<unknown>, crashAt: number | undefined, when: When): Promise<number> {
  let passed = -1;
  const dying = createMortalProcess((call) => isWrite(call) && ++passed === crashAt, when);
  await imports.interfereDuring(dying.interference, () => Promise.race([run(), dying.death]));
  if (crashAt === undefined) return dying.calls.filter(isWrite).length;
  expect(dying.hasStruck()).toBe(true);
  clock.pass(importTimes.visibilitySeconds * 1000);
  await run();
  await imports.goOn();
  return 0;
}

const outcome = async () => {
  await tell(...stays, ...goes, ...late);
  const rows = await imports.rows('documentLinks');
  const links = rows.map(({ secondaryUin, place }) => `${secondaryUin} ${place}`).toSorted();
  return { documents: await imports.keys('documents/'), links };
};
const expected = { documents: stays, links: ['K-1 O-1/marriage', 'O-1 D-1/marriage'] };

it.each<When>(['before', 'after'])(
  'documents of removed persons are deleted even if the import or the linking function crashes %s any of its writes',
  async (when) => {
    const removing = () => imports.tell(file);
    const linking = async () => {
      await put(...late);
      await tell(...late);
    };
    await prepare();
    const removals = await crashing(removing, undefined, when);
    const linkings = await crashing(linking, undefined, when);
    expect(await outcome()).toEqual(expected);
    expect(Math.min(removals, linkings)).toBeGreaterThanOrEqual(3);
    for (const [run, count] of [
      [removing, removals],
      [linking, linkings],
    ] as const) {
      for (let at = 0; at < count; at += 1) {
        await prepare();
        if (run === linking) await removing();
        await crashing(run, at, when);
        if (run === removing) await linking();
        expect(await outcome(), `crashed ${when} write ${at} of ${count}`).toEqual(expected);
      }
    }
  },
);
