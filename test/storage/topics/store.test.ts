import { beforeEach, describe, expect, it } from 'vitest';
import { topics } from '../../../shared/storage/topics/store.ts';
import { aTopic } from '../../harness/builders.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
let table: string;
const { permissions } = topics;
const open = (table: string) => ({
  ...permissions.read(dynamodb.client, table),
  ...permissions.list(dynamodb.client, table),
  ...permissions.create(dynamodb.client, table),
  ...permissions.remove(dynamodb.client, table),
});
let store: ReturnType<typeof open>;

beforeEach(async () => {
  table = await dynamodb.createTable('topics');
  store = open(table);
});

describe('the topic store', () => {
  it('the store returns a topic exactly as it was stored', async () => {
    const topic = aTopic({ name: 'état civil' });
    expect(await store.ensure(topic)).toEqual(topic);
    expect(await store.get(topic.uuid)).toEqual(topic);
  });

  it('the store returns the same topic to all callers that create it concurrently', async () => {
    const topic = aTopic({ name: 'CR' });
    const creations = Array.from({ length: 8 }, (_, index) => store.ensure({ ...topic, generation: `g${index}` }));
    const results = await Promise.all(creations);
    expect(new Set(results.map(({ generation }) => generation)).size).toBe(1);
    expect(await store.get(topic.uuid)).toEqual(results[0]);
  });

  it('the store lists every topic once, page by page', async () => {
    const all = Array.from({ length: 7 }, (_, index) => aTopic({ name: `topic ${index}` }));
    await Promise.all(all.map((topic) => store.ensure(topic)));
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list({ limit: 3, cursor });
      expect(page.values.length).toBeLessThanOrEqual(3);
      listed.push(...page.values.map(({ name }) => name));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(listed.toSorted()).toEqual(all.map(({ name }) => name));
    expect((await store.list({})).values).toHaveLength(7);
  });

  it('the store throws an error if a row does not contain a topic', async () => {
    const topic = aTopic();
    await expect(store.ensure({ ...topic, generation: 7 as unknown as string })).rejects.toThrow();
    await expect(store.get(topic.uuid)).rejects.toThrow();
  });
});
