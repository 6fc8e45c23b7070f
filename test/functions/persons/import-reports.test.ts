import { expect, it } from 'vitest';
import { ndjson, nextChunk, register, useImports } from '../../harness/import-harness.ts';

const imports = useImports();

it('an import shortens the name of its report if the file name is too long', async () => {
  imports.interfere({
    call: ({ input: { Key = '' } }, go) =>
      Buffer.byteLength(String(Key)) > 1024
        ? Promise.reject(Object.assign(new Error('too long'), { name: 'KeyTooLongError' }))
        : go(),
  });
  const names = [`${'é'.repeat(500)}.ndjson`, `${'é'.repeat(500)}_.ndjson`];
  for (const [at, name] of names.entries()) {
    await imports.put(`imports/${name}`, ndjson(register(`A-${at}`, { firstName: 'Ada' })));
    expect(await imports.tell(`imports/${name}`)).toEqual({ batchItemFailures: [] });
  }
  expect(Object.keys(await imports.people()).toSorted()).toEqual(['A-0', 'A-1']);
  const reports = (await imports.keys('imports/')).filter((key) => key.endsWith('.report.json'));
  expect(reports).toHaveLength(2);
  const files = await Promise.all(reports.map(async (key) => JSON.parse(await imports.read(key)).file));
  expect(files.toSorted()).toEqual(names.map((name) => `imports/${name}`).toSorted());
});

it('an import completes even if part of its list of rejected lines was deleted, and reports that the list is incomplete', async () => {
  const junk = ['1', '2'].map((which) => `${which}\n${nextChunk}`).join('');
  await imports.put('imports/parts.skip-malformed.ndjson', junk + ndjson(register('A-1', { firstName: 'Ada' })));
  let isFirst = true;
  imports.interfere({
    call: async ({ command, input }, go) => {
      if (isFirst && command === 'CreateMultipartUpload') throw new Error('not yet');
      const done = await go();
      if (isFirst && command === 'PutObject' && String(input.Key).includes('/parts/')) {
        isFirst = false;
        await imports.remove(String(input.Key));
      }
      return done;
    },
  });
  expect(await imports.tell('imports/parts.skip-malformed.ndjson')).toEqual({ batchItemFailures: [] });
  const report = await imports.report('imports/parts.skip-malformed.ndjson');
  expect(report).toMatchObject({ lines: 3, rejected: 2, rejectedLinesIncomplete: true, applied: { register: 1 } });
  expect(report.rejectedLines).toHaveLength(1);
});

it('an import lists the first 10,000 rejected lines and counts the rest', async () => {
  const report = await imports.import('imports/junk.ndjson', 'x\n'.repeat(10_003));
  expect(report).toMatchObject({ lines: 10_003, rejected: 10_003, rejectedNotListed: 3 });
  expect(report.rejectedLines).toHaveLength(10_000);
  expect(report.rejectedLines.at(-1)?.line).toBe(10_000);
});
