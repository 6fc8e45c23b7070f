import { describe, expect, test } from 'vitest';
import { listSubscriptions } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { listTopics } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { type ApiResponse, readResponse } from '../harness/call.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { startReceiver } from '../harness/receiver.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { call, newTopic, subscribeTo, token, outputs } = world;
leavesNoErrors(world);

/** Follows the Link headers (RFC 8288) from the first page to the last. */
async function pagesOf(path: string): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let url: URL | undefined = new URL(path, outputs.baseUrl);
  while (url !== undefined) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    pages.push((await readResponse<unknown[]>(response, path)).json);
    const link = response.headers.get('link');
    // Clients use the link unchanged, so it must be an absolute address.
    if (link !== null) expect(link).toMatch(/^<http:\/\/[^<>]+>; rel="next"$/);
    const next = link?.slice(1, link.indexOf('>'));
    url = next === undefined ? undefined : new URL(next);
  }
  return pages;
}

const topics = await Promise.all(Array.from({ length: 7 }, () => newTopic()));
const receiver = await startReceiver();
const subscriptions = await Promise.all(topics.map((topic) => subscribeTo(topic, receiver.url)));

const lists: [name: string, path: string, mine: { uuid: string }[], list: () => Promise<ApiResponse>][] = [
  ['topics', '/v1/topics', topics, () => call(listTopics)],
  ['subscriptions', '/v1/subscriptions', subscriptions, () => call(listSubscriptions)],
];

describe.each(lists)('the list of %s', (_name, path, mine, list) => {
  test('the list is complete without `limit`', async () => {
    const { json, headers } = await list();
    expect(json).toEqual(expect.arrayContaining(mine));
    expect(headers.get('link')).toBeNull();
  });

  test('each page of the list contains at most `limit` rows and a link to the next page', async () => {
    const pages = await pagesOf(`${path}?limit=3`);
    expect(pages.length).toBeGreaterThanOrEqual(3);
    expect(pages.filter(({ length }) => length > 3)).toEqual([]);
    const all = pages.flat() as { uuid: string }[];
    expect(all).toEqual(expect.arrayContaining(mine));
    expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(all.length);
  });

  test('the list fits into one page of 1,000 rows', async () => {
    const pages = await pagesOf(`${path}?limit=1000`);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toEqual(expect.arrayContaining(mine));
  });
});
