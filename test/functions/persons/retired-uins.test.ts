import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { handler as generateUin } from '../../../functions/persons/generate-uin.ts';
import { dayMs } from '../../../shared/domain/time.ts';
import { secretOfTests } from '../../harness/builders.ts';
import { useClock } from '../../harness/clock.ts';
import { merge, register, remove, useDocumentImports } from '../../harness/document-imports.ts';

const clock = useClock();
const { imports, apply } = useDocumentImports();

const retiredRows = async () => (await imports.rows('persons')).filter(({ id }) => String(id).startsWith('retired#'));
const people = async () => Object.keys(await imports.people());

const mints: Readonly<Record<string, () => Promise<unknown>>> = {
  'by a request': () => imports.call(generateUin, { body: '{"firstName":"Ada"}' }),
  'by a request with a key': () =>
    imports.call(generateUin, { body: '{"firstName":"Ada"}', headers: { 'Idempotency-Key': 'birth-1' } }),
  'by a file': () => apply({ change: 'register', attributes: { firstName: 'Ada' } }),
};

test.each(Object.entries(mints))('minting %s generates another UIN if the first UIN is retired', async (_by, mint) => {
  const checked: string[] = [];
  imports.interfere({
    async call({ command, input }, go) {
      const writes = command === 'TransactWriteItems' ? (input.TransactItems as TransactWriteItem[]) : [];
      for (const id of writes.flatMap(({ ConditionCheck }) => ConditionCheck?.Key?.id?.S ?? [])) {
        if (checked.length === 0) await imports.write('persons', { id });
        checked.push(id);
      }
      return go();
    },
  });
  await mint();
  imports.interfere({});
  expect(checked).toHaveLength(2);
  expect(new Set(checked).size).toBe(2);
  expect(await people()).toHaveLength(1);
});

test('the UINs of merged and removed persons can never be registered again', async () => {
  await apply(...['A-1', 'B-1', 'C-1'].map(register), merge('A-1', 'B-1'), remove('C-1'), remove('A-1'));
  clock.pass(30 * 365 * dayMs);
  const report = await apply(...['A-1', 'B-1', 'C-1', 'D-1'].map(register));
  const reason = 'belonged to a deleted person and cannot be registered again';
  expect(report.rejectedLines).toEqual([1, 2, 3].map((line) => ({ line, field: 'uin', reason })));
  expect(await people()).toEqual(['D-1']);
});

test('the row of a retired UIN contains only a keyed hash and does not expire', async () => {
  const { json: uin } = await imports.call(generateUin, { body: '{"firstName":"Ada"}' });
  await apply(register('A-1'), merge('A-1', String(uin)));
  const rows = await retiredRows();
  expect(rows).toEqual([{ id: expect.stringMatching(/^retired#[\w-]{43}$/) }]);
  expect(JSON.stringify(rows)).not.toContain(uin);
});

/** Runs the runbook command that computes the row key of a retired UIN. */
function runbookId(uin: string): string {
  const runbook = readFileSync('infra/runbook/people-and-imports.md', 'utf8');
  const command = runbook.split('\n').find((line) => line.trimStart().startsWith('ID=$(UIN='));
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, UIN: uin, NAMING: secretOfTests };
  return String(execFileSync('sh', ['-c', `${command}\nprintf %s "$ID"`], { env }));
}

test('a person who was removed by mistake can be registered again after the row named in the runbook is deleted', async () => {
  await apply(register('A-1'), remove('A-1'));
  const id = runbookId('A-1');
  expect(await retiredRows()).toEqual([{ id }]);
  await imports.removeRow('persons', { id });
  expect(await apply(register('A-1'))).toMatchObject({ applied: { register: 1 }, rejected: 0 });
  expect(await people()).toEqual(['A-1']);
});
