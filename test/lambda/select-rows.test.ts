import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PageRequest } from '../../shared/domain/row-page.ts';
import { replyWithList, selectRows } from '../../shared/lambda/reply-with-list.ts';

interface Row {
  readonly uuid: string;
  readonly isOwn: boolean;
}

/**
 * Returns a store that returns at most `most` rows per read. `state` contains the number of reads and the requested
 * limits.
 */
function aStore(rows: readonly Row[], most: number) {
  const state = { reads: 0, sizes: new Set<number | undefined>() };
  const list = async ({ limit, cursor }: PageRequest) => {
    state.reads += 1;
    state.sizes.add(limit);
    const from = cursor === undefined ? 0 : Number(cursor) + 1;
    const values = rows.slice(from, from + most);
    return { values, cursor: from + most < rows.length ? values.at(-1)?.uuid : undefined };
  };
  return { state, list };
}

const ownOnly = (row: Row): Row | undefined => (row.isOwn ? row : undefined);

it('selectRows returns every selected row once and in order, with at most 5 reads per request', async () => {
  const rows = fc
    .array(fc.constantFrom(true, false, false, false, false, false), { maxLength: 90 })
    .map((own) => own.map((isOwn, index) => ({ uuid: String(index), isOwn })));
  const sizes = fc.record({ rows, most: fc.integer({ min: 1, max: 9 }), limit: fc.integer({ min: 1, max: 9 }) });
  await fc.assert(
    fc.asyncProperty(sizes, async ({ rows, most, limit }) => {
      const seen: Row[] = [];
      let cursor: string | undefined;
      do {
        const { state, list } = aStore(rows, most);
        const page = await replyWithList(selectRows(list, ownOnly, limit), (row) => row, { limit, cursor });
        expect(state.reads).toBeLessThanOrEqual(5);
        expect(page.body.length).toBeLessThanOrEqual(limit);
        if (page.headers && page.body.length < limit) expect(state.reads).toBe(5);
        seen.push(...page.body);
        cursor = /cursor=(\d+)/.exec(page.headers?.link ?? '')?.[1];
      } while (cursor !== undefined);
      expect(seen).toEqual(rows.filter(({ isOwn }) => isOwn));
    }),
  );
});

it.each([
  [1, 200],
  [100, 500],
  [1000, 5000],
  [undefined, undefined],
])('selectRows with the limit %s reads at most %s rows at a time', async (limit, size) => {
  const { state, list } = aStore([], 1);
  await selectRows(list, ownOnly, limit)({ limit });
  expect([...state.sizes]).toEqual([size]);
});
