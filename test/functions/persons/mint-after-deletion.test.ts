import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { handler as generateUin } from '../../../functions/persons/generate-uin.ts';
import { ndjson, useImports } from '../../harness/import-harness.ts';

const imports = useImports();
const seconds = (more: number) => Math.floor(Date.now() / 1000) + more;

/** Adds a tombstone for the first UIN that the service draws. Returns all drawn UINs. */
function firstIsGone(expiresAt: number): readonly string[] {
  const drawn: string[] = [];
  imports.interfere({
    async call({ command, input }, go) {
      const writes = command === 'TransactWriteItems' ? (input.TransactItems as TransactWriteItem[]) : [];
      for (const id of writes.flatMap(({ ConditionCheck }) => ConditionCheck?.Key?.id?.S ?? [])) {
        if (drawn.length === 0) await imports.write('persons', { id, expiresAt });
        drawn.push(id.slice('deleted#'.length));
      }
      return go();
    },
  });
  return drawn;
}

const people = async () => Object.keys(await imports.people());

const mints: Readonly<Record<string, () => Promise<unknown>>> = {
  'by a request': () => imports.call(generateUin, { body: '{"firstName":"Ada"}' }),
  'by a request with a key': () =>
    imports.call(generateUin, { body: '{"firstName":"Ada"}', headers: { 'Idempotency-Key': 'birth-1' } }),
  'by a file': () =>
    imports.import('imports/a.ndjson', ndjson({ change: 'register', attributes: { firstName: 'Ada' } })),
};

test.each(Object.entries(mints))('no person is registered %s under a deleted person’s UIN', async (_by, mint) => {
  const drawn = firstIsGone(seconds(60));
  await mint();
  expect(drawn).toHaveLength(2);
  expect(new Set(drawn).size).toBe(2);
  expect(await people()).toEqual([drawn[1]]);
});

test.each(Object.entries(mints))(
  'a UIN can be registered again %s after its tombstone has expired',
  async (_by, mint) => {
    const drawn = firstIsGone(seconds(-60));
    await mint();
    expect(drawn).toHaveLength(1);
    expect(await people()).toEqual(drawn);
  },
);

test('a tombstone is stored for a minted UIN when an import file removes the person', async () => {
  const { json: uin } = await imports.call(generateUin, { body: '{"firstName":"Ada"}' });
  expect(await imports.import('imports/r.ndjson', ndjson({ change: 'remove', uin }))).toMatchObject({ rejected: 0 });
  const [row] = (await imports.rows('persons')).filter(({ id }) => id === `deleted#${uin}`);
  expect(Number(row?.expiresAt)).toBeGreaterThan(seconds(86_400));
});
