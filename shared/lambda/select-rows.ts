import type { Page, PageRequest } from '../domain/row-page.ts';

// Each of up to 1 MB. Whoever asks pays no more for rows of others than for a whole page of theirs.
const mostReads = 5;
const rowsForOne = 5;
// So that who asks for single rows gets ahead, too.
const leastRows = 200;

/**
 * A list of the rows of another for which `view` answers something, for one request: pages are read that fit how many rows are asked
 * for, at most 5. Where that was not enough its page says so (`isCut`), and may have fewer rows than asked for, or none.
 */
export function selectRows<Stored, Seen extends { readonly uuid: string }>(
  list: (page: PageRequest) => Promise<Page<Stored>>,
  view: (stored: Stored) => Seen | undefined,
): (page: PageRequest) => Promise<Page<Seen>> {
  let reads = 0;
  return async ({ limit = Number.POSITIVE_INFINITY, cursor }) => {
    const readSize = Number.isFinite(limit) ? Math.max(limit * rowsForOne, leastRows) : undefined;
    const values: Seen[] = [];
    for (let next = cursor; ; ) {
      const page = await list({ limit: readSize, cursor: next });
      reads += 1;
      const isCut = reads >= mostReads;
      values.push(...page.values.flatMap((stored) => view(stored) ?? []));
      // The rest of what was read comes with the next page.
      if (values.length > limit) return { values: values.slice(0, limit), cursor: values[limit - 1]?.uuid, isCut };
      next = page.cursor;
      if (next === undefined || values.length === limit || isCut) return { values, cursor: next, isCut };
    }
  };
}
