/*
 * Promise: S3 may report documents after their persons were merged or removed. The service still moves each document to
 * the kept person, or deletes the document after all of its persons are removed. No document is lost if the function
 * crashes at any of its writes, before or after the write took effect.
 */
import { expect, it } from 'vitest';
import { merge, register, remove, useDocumentImports } from '../harness/document-imports.ts';
import { createMortalProcess, type When } from '../harness/mortal-process.ts';

const { imports, apply, put, tell } = useDocumentImports();
const merged = ['documents/D-1/birth/-/b.pdf', 'documents/O-1/marriage/D-1/m.pdf', 'documents/K-1/note/-/k.pdf'];
const left = ['documents/R-1/birth/-/r.pdf', 'documents/R-1/marriage/S-1/r.pdf', 'documents/S-1/divorce/R-1/s.pdf'];
const expected = {
  'documents/K-1/birth/-/D-1~b.pdf': merged[0],
  'documents/O-1/marriage/K-1/D-1~m.pdf': merged[1],
  'documents/K-1/note/-/k.pdf': merged[2],
};

async function prepare(): Promise<void> {
  await imports.reset();
  const people = ['O-1', 'D-1', 'K-1', 'R-1', 'S-1'].map(register);
  await apply(...people, merge('K-1', 'D-1'), remove('R-1'), remove('S-1'));
  await put(...merged, ...left);
}

async function outcome() {
  const keys = await imports.keys('documents/');
  const documents = await Promise.all(keys.map(async (key) => [key, await imports.read(key)] as const));
  await tell(...merged, ...left, ...keys);
  const links = (await imports.rows('documentLinks')).map(({ secondaryUin, place }) => `${secondaryUin} ${place}`);
  return { documents: Object.fromEntries(documents), links };
}

it.each<When>(['before', 'after'])(
  'late documents are moved to the correct person if the function crashes %s each of its writes',
  async (when) => {
    await prepare();
    const counting = createMortalProcess();
    imports.interfere(counting.interference);
    await tell(...merged, ...left);
    imports.interfere({});
    expect(await outcome()).toEqual({ documents: expected, links: ['K-1 O-1/marriage'] });
    const writes = counting.calls.filter(({ command }) => /^(?:Put|Copy|Delete)/.test(command));
    expect(writes.length).toBeGreaterThan(8);
    // The writes have a random order because they run in parallel.
    for (const at of writes.keys()) {
      await prepare();
      let passed = -1;
      const dying = createMortalProcess(({ command }) => /^(?:Put|Copy|Delete)/.test(command) && ++passed === at, when);
      imports.interfere(dying.interference);
      await Promise.race([tell(...merged, ...left), dying.death]);
      expect(dying.hasStruck()).toBe(true);
      imports.interfere({});
      await tell(...merged, ...left);
      const died = `crashed ${when} write ${at}, ${dying.calls.at(-1)?.command}`;
      expect(await outcome(), died).toEqual({ documents: expected, links: ['K-1 O-1/marriage'] });
    }
  },
  120_000,
);
