import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { handler as generateUin } from '../../../functions/persons/generate-uin.ts';
import { ndjson, useImports } from '../../harness/import-harness.ts';

const imports = useImports();
const seconds = (more: number) => Math.floor(Date.now() / 1000) + more;

/** Whoever had the number that is drawn first is remembered until then; answers the numbers that are looked for. */
function firstIsGone(expiresAt: number): readonly string[] {
  const drawn: string[] = [];
  imports.interfere({
    async call({ command, input }, go) {
      const writes = command === 'TransactWriteItems' ? (input.TransactItems as TransactWriteItem[]) : [];
      for (const id of writes.flatMap(({ ConditionCheck }) => ConditionCheck?.Key?.id?.S ?? [])) {
        if (drawn.length === 0) await imports.write('persons', { id, expiresAt });
        drawn.push(id.slice('gone#'.length));
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

test.each(Object.entries(mints))(
  'nobody is registered %s under the number of somebody who is gone',
  async (_by, mint) => {
    const drawn = firstIsGone(seconds(60));
    await mint();
    expect(drawn).toHaveLength(2);
    expect(new Set(drawn).size).toBe(2);
    expect(await people()).toEqual([drawn[1]]);
  },
);

test.each(Object.entries(mints))(
  'a number is free again %s when nobody is remembered by it any more',
  async (_by, mint) => {
    const drawn = firstIsGone(seconds(-60));
    await mint();
    expect(drawn).toHaveLength(1);
    expect(await people()).toEqual(drawn);
  },
);

test('who was removed by a file is remembered by the number that was minted for them', async () => {
  const { json: uin } = await imports.call(generateUin, { body: '{"firstName":"Ada"}' });
  expect(await imports.import('imports/r.ndjson', ndjson({ change: 'remove', uin }))).toMatchObject({ refused: 0 });
  const [row] = (await imports.rows('persons')).filter(({ id }) => id === `gone#${uin}`);
  expect(Number(row?.expiresAt)).toBeGreaterThan(seconds(86_400));
});
