import { ClientError } from '../domain/client-errors.ts';
import type { Page, PageRequest } from '../domain/row-page.ts';

/** The maximum size of a response body. Lambda allows 6 MB for the body and the data around it. */
export const maxResponseBytes = 5_000_000;

/** Returns the size of a body as Lambda counts it: as JSON text that is escaped again inside JSON. */
export const responseBytes = (shown: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(shown)));

const listTooLarge = (what: string): ClientError =>
  new ClientError('answerTooLarge', `the whole list ${what}: request pages with limit=1000`);

/**
 * Returns all rows of a list or, with a limit, one page and the URL of the next page (RFC 8288). A page has fewer rows
 * than its limit if more rows would exceed the maximum size or require too many reads.
 * @throws ClientError `answerTooLarge` instead of omitting rows
 */
export async function replyWithList<Stored, Shown>(
  list: (page: PageRequest) => Promise<Page<Stored>>,
  show: (stored: Stored) => Shown,
  { limit, cursor }: PageRequest,
): Promise<{ status: 200; body: Shown[]; headers?: { link: string } }> {
  const body: Shown[] = [];
  let bytes = 0;
  let next = cursor;
  let mostAtOnce = Infinity;
  for (;;) {
    const most = limit === undefined ? undefined : Math.min(limit - body.length, mostAtOnce);
    const page = await list({ limit: most, cursor: next });
    const shown = page.values.map(show);
    const more = shown.reduce((sum, one) => sum + responseBytes(one), 0);
    if (bytes + more > maxResponseBytes) {
      if (limit === undefined) throw listTooLarge('is over 5 MB');
      if (body.length > 0) break;
      // The rows from a single read can exceed the maximum size of a response.
      mostAtOnce = Math.floor(shown.length / 2);
      continue;
    }
    bytes += more;
    body.push(...shown);
    next = page.cursor;
    if (next === undefined || body.length === limit) break;
    if (page.isCut && limit === undefined) throw listTooLarge('requires too many reads');
    if (page.isCut) break;
  }
  if (next === undefined) return { status: 200, body };
  return { status: 200, body, headers: { link: nextLink({ limit, cursor: next }) } };
}

/** Returns the `link` header with the address of the next page: the same list with the given query parameters. */
export function nextLink(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return `<?${query}>; rel="next"`;
}

// Five reads return up to 5 MB, so a request that skips other clients' rows costs no more than reading a full page.
const maxReads = 5;
const rowsForOne = 5;
// The minimum size of a read, so that a request for a single row makes progress.
const minRows = 200;

/**
 * Creates a list for one request. The list contains only the rows for which `view` returns a value. Each page takes one
 * read, whose size depends on the number of rows that the request wants. After 5 reads, `isCut` is true.
 */
export function selectRows<Stored, Seen extends { readonly uuid: string }>(
  list: (page: PageRequest) => Promise<Page<Stored>>,
  view: (stored: Stored) => Seen | undefined,
  wanted: number | undefined,
): (page: PageRequest) => Promise<Page<Seen>> {
  const readSize = wanted === undefined ? undefined : Math.max(wanted * rowsForOne, minRows);
  let reads = 0;
  return async ({ limit = Number.POSITIVE_INFINITY, cursor }) => {
    const page = await list({ limit: readSize, cursor });
    reads += 1;
    const isCut = reads >= maxReads;
    const values = page.values.flatMap((stored) => view(stored) ?? []);
    if (values.length <= limit) return { values, cursor: page.cursor, isCut };
    // The next page starts after the last returned row.
    return { values: values.slice(0, limit), cursor: values[limit - 1]?.uuid, isCut };
  };
}
