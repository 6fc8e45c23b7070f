import type { Page, PageRequest } from '../domain/row-page.ts';

// Five reads return up to 5 MB, so a request that skips other clients' rows costs no more than reading a full page.
const maxReads = 5;
const rowsForOne = 5;
// The minimum size of a read, so that a request for a single row makes progress.
const minRows = 200;

/**
 * Creates a function that lists the items for one request. The list contains only the rows for which `view` returns a
 * value. The function reads at most 5 pages, whose size depends on the requested number of rows. After 5 pages, `isCut`
 * is true, and the result may contain fewer rows than requested, or none.
 */
export function selectRows<Stored, Seen extends { readonly uuid: string }>(
  list: (page: PageRequest) => Promise<Page<Stored>>,
  view: (stored: Stored) => Seen | undefined,
): (page: PageRequest) => Promise<Page<Seen>> {
  let reads = 0;
  return async ({ limit = Number.POSITIVE_INFINITY, cursor }) => {
    const readSize = Number.isFinite(limit) ? Math.max(limit * rowsForOne, minRows) : undefined;
    const values: Seen[] = [];
    for (let next = cursor; ; ) {
      const page = await list({ limit: readSize, cursor: next });
      reads += 1;
      const isCut = reads >= maxReads;
      values.push(...page.values.flatMap((stored) => view(stored) ?? []));
      // The next page starts after the last returned row.
      if (values.length > limit) return { values: values.slice(0, limit), cursor: values[limit - 1]?.uuid, isCut };
      next = page.cursor;
      if (next === undefined || values.length === limit || isCut) return { values, cursor: next, isCut };
    }
  };
}
