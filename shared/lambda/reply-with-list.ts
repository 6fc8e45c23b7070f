import type { Page, PageRequest } from '../domain/row-page.ts';
import { Refusal } from '../model/refusals.ts';
import { answerBytes, largestAnswerBytes } from './answer-size.ts';

const mend = 'ask for pages with limit=1000';

/**
 * Answers a list: one page with the address of the next (RFC 8288) when a limit is given, else everything. A page is
 * shorter than its limit where more would be too large, or where too much was read for it.
 * @throws Refusal `answerTooLarge` rather than leave rows out
 */
export async function answerList<Stored, Shown>(
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
    const more = shown.reduce((sum, one) => sum + answerBytes(one), 0);
    if (bytes + more > largestAnswerBytes) {
      if (limit === undefined) {
        throw new Refusal('answerTooLarge', `the whole list is over 5 MB: ${mend}`);
      }
      if (body.length > 0) break;
      // One read of the store may be too large by itself already.
      mostAtOnce = Math.floor(shown.length / 2);
      continue;
    }
    bytes += more;
    body.push(...shown);
    next = page.cursor;
    if (next === undefined || body.length === limit) break;
    if (page.isCut && limit !== undefined) break;
    if (page.isCut) throw new Refusal('answerTooLarge', `the whole list takes too much reading: ${mend}`);
  }
  if (next === undefined) return { status: 200, body };
  return { status: 200, body, headers: { link: nextLink({ limit, cursor: next }) } };
}

/** The header `link` of a page: the same list, by these parameters. */
export function nextLink(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return `<?${new URLSearchParams(Object.fromEntries(given))}>; rel="next"`;
}
