import { expect, it } from 'vitest';
import { sourceFolder } from '../../../shared/domain/documents/rendition.ts';
import { dayMs } from '../../../shared/domain/time.ts';
import { useClock } from '../../harness/clock.ts';
import { register, remove, useDocumentImports } from '../../harness/document-imports.ts';

const clock = useClock();
const { imports, apply, file } = useDocumentImports();
const [ofR, ofW] = ['documents/R-1/marriage/W-1/r.pdf', 'documents/W-1/divorce/R-1/w.pdf'];

it('a document about two persons and its renditions are kept for as long as either person is registered', async () => {
  await file(ofR, ofW, 'documents/R-1/birth/-/r.pdf');
  const made = [ofR, ofW].map((key) => `renditions/${sourceFolder(key)}/png-1/p0001.png`);
  for (const key of made) await imports.put(key, 'png');
  const report = await apply(register('R-1'), register('W-1'), remove('R-1'));
  expect(report).toMatchObject({ applied: { remove: 1 }, rejected: 0 });
  clock.pass(30 * 365 * dayMs);
  expect(await apply(register('R-1'))).toMatchObject({ rejected: 1, rejectedLines: [{ field: 'uin' }] });
  expect(await imports.keys('documents/')).toEqual([ofR, ofW]);
  expect(await imports.keys('renditions/')).toEqual(made.toSorted());
  await apply(remove('W-1'));
  expect(await imports.keys('documents/')).toEqual([]);
  expect(await imports.keys('renditions/')).toEqual([]);
});

it('a document is removed with its person if its key names no second person or a second person who never existed', async () => {
  await file('documents/R-1/birth/-/r.pdf', 'documents/R-1/note/R-1/r.pdf', 'documents/R-1/marriage/N-1/r.pdf');
  await apply(register('R-1'), remove('R-1'));
  expect(await imports.keys('documents/')).toEqual([]);
});

it('a document stored under an unknown UIN is kept and logged, because the person may be registered later', async () => {
  const key = 'documents/N-1/birth/R-1/n.pdf';
  await file(key);
  await apply(register('R-1'), remove('R-1'));
  expect(await imports.keys('documents/')).toEqual([key]);
  const said = imports.lines.warn.filter((line) => line.includes('documents left'));
  expect(said).toEqual([expect.stringMatching(/"line":2,.*"count":1/)]);
  clock.pass(30 * 365 * dayMs);
  await apply(register('N-1'), remove('N-1'));
  expect(await imports.keys('documents/')).toEqual([]);
});

it('a document is kept if an earlier line registers one of its persons, even if that line completes late', async () => {
  const key = 'documents/N-1/marriage/R-1/n.pdf';
  await file(key);
  await apply(register('R-1'));
  let isFirst = true;
  imports.interfere({
    async wire({ command, input }, go) {
      if (command !== 'PutItem' || !isFirst || !JSON.stringify(input).includes('person#N-1')) return go();
      isFirst = false;
      const throttled = { name: 'ProvisionedThroughputExceededException', $retryable: { throttling: true } };
      throw Object.assign(new Error('slow down'), { ...throttled, $metadata: { httpStatusCode: 400 } });
    },
  });
  await apply(register('N-1'), remove('R-1'));
  imports.interfere({});
  expect(isFirst).toBe(false);
  expect(Object.keys(await imports.people())).toEqual(['N-1']);
  expect(await imports.keys('documents/')).toEqual([key]);
});
