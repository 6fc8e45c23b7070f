import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listTopics } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { type Topic, topicUuid } from '../../shared/domain/topics/topic.ts';
import { writeReply } from '../../shared/lambda/reply.ts';
import { replyWithList } from '../../shared/lambda/reply-with-list.ts';
import { clientErrorOf } from '../harness/client-error.ts';

interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Returns a store with the rows 0, 1, … A read returns at most `most` rows, as DynamoDB returns at most 1 MB. */
const aStore =
  (rows: number, most: number, row: (index: number) => unknown = (index) => index) =>
  async ({ limit = most, cursor = '0' }: PageRequest) => {
    const from = Number(cursor);
    const to = Math.min(rows, from + Math.min(limit, most));
    const values = Array.from({ length: to - from }, (_, index) => row(from + index));
    return { values, cursor: to < rows ? String(to) : undefined };
  };

const nextOf = (link: string | undefined) => new URLSearchParams(/^<\?(.*)>; rel="next"$/.exec(link ?? '')?.[1]);

it('replyWithList returns all rows if the request has no limit, in as many reads as needed', async () => {
  const reply = await replyWithList(aStore(25, 10), (value) => value, {});
  expect(reply).toEqual({ status: 200, body: Array.from({ length: 25 }, (_, index) => index) });
});

it('replyWithList returns an empty list for an empty store', async () => {
  expect(await replyWithList(aStore(0, 10), (value) => value, {})).toEqual({ status: 200, body: [] });
});

it('replyWithList returns every row once, page by page, for any limit', async () => {
  const counts = fc.record({
    rows: fc.nat(60),
    most: fc.integer({ min: 1, max: 20 }),
    limit: fc.integer({ min: 1, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(counts, async ({ rows, most, limit }) => {
      const seen: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await replyWithList(aStore(rows, most), (value) => value, { limit, cursor });
        seen.push(...page.body);
        const next = nextOf(page.headers?.link);
        cursor = next.get('cursor') ?? undefined;
        if (cursor === undefined) break;
        expect(page.body).toHaveLength(limit);
        expect(next.get('limit')).toBe(String(limit));
      } while (seen.length <= rows);
      expect(seen).toEqual(Array.from({ length: rows }, (_, index) => index));
    }),
  );
});

it('replyWithList converts each row with the given function', async () => {
  expect((await replyWithList(aStore(2, 10), (value) => `#${value}`, {})).body).toEqual(['#0', '#1']);
});

it('replyWithList rejects a response over 5 MB instead of omitting rows', async () => {
  const store = aStore(6000, 500, () => 'x'.repeat(1000));
  expect((await clientErrorOf(() => replyWithList(store, (value) => value, {}))).errorName).toBe('answerTooLarge');
  expect((await replyWithList(store, (value) => value, { limit: 1000 })).body).toHaveLength(1000);
});

it("replyWithList includes Lambda's second escaping of quotation marks when it measures a response", async () => {
  const store = aStore(8090, 500, (index) => ({ uuid: topicUuid(String(index)), name: '"'.repeat(250) }));
  expect((await clientErrorOf(() => replyWithList(store, (value) => value, {}))).errorName).toBe('answerTooLarge');
  const page = await replyWithList(store, (value) => value as Topic, { limit: 1000 });
  expect(Buffer.byteLength(JSON.stringify(writeReply(listTopics, page)))).toBeLessThan(6 * 1024 * 1024);
});

it.each([
  ['in one read', 1000],
  ['in several reads', 90],
])(
  'replyWithList returns a shorter page if the rows do not fit into one response, and reads the rows %s',
  async (_how, most) => {
    const store = aStore(2000, most, (index) => ({ uuid: String(index), name: '\\'.repeat(2000) }));
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await replyWithList(store, (value) => value as Topic, { limit: 1000, cursor });
      expect(Buffer.byteLength(JSON.stringify(writeReply(listTopics, page)))).toBeLessThan(6 * 1024 * 1024);
      const next = nextOf(page.headers?.link);
      expect(page.body.length).toBeGreaterThanOrEqual(page.headers ? 450 : 1);
      expect(next.get('limit')).toBe(page.headers ? '1000' : null);
      seen.push(...page.body.map(({ uuid }) => uuid));
      cursor = next.get('cursor') ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 2000 }, (_, index) => String(index)));
  },
);
