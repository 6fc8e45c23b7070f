import { expect, it } from 'vitest';
import { ndjson, nextChunk, useImports } from '../../harness/import-harness.ts';

const imports = useImports();
const register = (uin: string, attributes: object) => ({ change: 'register', uin, attributes });

it('writes the report of a name that leaves no room for it under what there is room for', async () => {
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

it('ends though a part of the list of refused lines was deleted, and says that it is not whole', async () => {
  const junk = ['1', '2'].map((which) => `${which}\n${nextChunk}`).join('');
  await imports.put('imports/parts.ndjson', junk + ndjson(register('A-1', { firstName: 'Ada' })));
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
  expect(await imports.tell('imports/parts.ndjson')).toEqual({ batchItemFailures: [] });
  const report = await imports.report('imports/parts.ndjson');
  expect(report).toMatchObject({ lines: 3, refused: 2, refusedLinesIncomplete: true, applied: { register: 1 } });
  expect(report.refusedLines).toHaveLength(1);
});

it('lists so many refused lines, and says how many more there are', async () => {
  const report = await imports.import('imports/junk.ndjson', 'x\n'.repeat(10_003));
  expect(report).toMatchObject({ lines: 10_003, refused: 10_003, refusedNotListed: 3 });
  expect(report.refusedLines).toHaveLength(10_000);
  expect(report.refusedLines.at(-1)?.line).toBe(10_000);
});
