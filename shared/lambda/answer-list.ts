import type { Page, PageRequest } from '../model/page.ts';
import { Refusal } from '../model/refusals.ts';

const largestAnswerBytes = 5_000_000;

// Lambda counts an answer as it leaves the function: its body is a text within JSON, and escaped once more.
const bytesOf = (shown: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(shown)));

/**
 * Answers a list: one page with the address of the next (RFC 8288) when a limit is given, else everything.
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
  do {
    const page = await list({ limit: limit === undefined ? undefined : limit - body.length, cursor: next });
    for (const stored of page.values) {
      const shown = show(stored);
      bytes += bytesOf(shown);
      body.push(shown);
    }
    if (bytes > largestAnswerBytes) {
      throw new Refusal('answerTooLarge', 'the whole list is over 5 MB: ask for pages with limit=1000');
    }
    next = page.cursor;
  } while (next !== undefined && (limit === undefined || body.length < limit));
  if (next === undefined) return { status: 200, body };
  return { status: 200, body, headers: { link: `<?limit=${limit}&cursor=${next}>; rel="next"` } };
}
