import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CapabilityName, capabilities } from '../../shared/contract/capabilities.ts';
import { actionsOf, type Capability } from '../../shared/contract/capability.ts';
import type { Store } from '../../shared/contract/define-store.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import { warmUpStores } from '../../shared/lambda/environment.ts';
import { runWarmUps, warmUpWith } from '../../shared/lambda/warm-up.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { journal } from '../../shared/storage/journal/store.ts';
import { limits } from '../../shared/storage/limits/store.ts';
import { persons } from '../../shared/storage/persons/store.ts';
import { backlog } from '../../shared/storage/queues/backlog.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { namingSecret, signingSecret } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';
import { topics } from '../../shared/storage/topics/store.ts';
import { useHarness } from '../harness/harness.ts';
import type { AwsClient } from '../harness/interference.ts';

const harness = useHarness();
const stores: readonly Store[] = [
  ...[persons, topics, subscriptions, limits, deliveries, journal],
  ...[queues, backlog, signingSecret, namingSecret],
];
const storeOf = (use: string) => stores.find(({ name }) => use.startsWith(`${name}:`));
const uses = Object.keys(capabilities) as CapabilityName[];
// A batch of writes cannot be made so that none of them holds.
const warmedUp = uses.filter((use) => storeOf(use) !== undefined && use !== 'journal:writeMany');

// One request of SQS has no permission of its own.
const iamNames: Readonly<Record<string, string>> = { SendMessageBatch: 'SendMessage' };

/** What a capability's prime asks AWS for, by the names of IAM. */
async function askedBy(use: CapabilityName): Promise<string[]> {
  const store = storeOf(use);
  const asked: string[] = [];
  const client = store?.client() as AwsClient;
  const { middlewareStack } = client as unknown as {
    middlewareStack: { add(middleware: object, options: object): void; remove(name: string): boolean };
  };
  const listen =
    (next: (given: unknown) => unknown, { commandName }: { commandName: string }) =>
    (given: unknown) => {
      const name = commandName.replace(/Command$/, '');
      asked.push(iamNames[name] ?? name);
      return next(given);
    };
  middlewareStack.add(listen, { step: 'initialize', name: 'listen' });
  // What AWS says of it is not looked at, either.
  await warmUpStores(store === undefined ? [] : [store], [use], process.env);
  middlewareStack.remove('listen');
  return asked;
}

const tableOf = (use: CapabilityName): TableName | undefined => {
  const capability: Capability = capabilities[use];
  return 'table' in capability ? capability.table : undefined;
};

describe('the first call of a client', () => {
  it('is known for the capabilities of most stores', () => {
    expect(warmedUp.length).toBeGreaterThan(40);
  });

  it.each(warmedUp)('is allowed by %s, and changes nothing', async (use) => {
    const topic = await harness.newTopic();
    const table = tableOf(use);
    const before = table && (await harness.rows(table));
    const actions = await askedBy(use);
    const granted = actionsOf(capabilities[use]).map((action) => action.split(':')[1]);
    expect(granted).toEqual(expect.arrayContaining(actions));
    expect(new Set(actions).size).toBe(1);
    expect(table && (await harness.rows(table))).toEqual(before);
    expect(await harness.rows('topics')).toContainEqual(expect.objectContaining({ uuid: topic.uuid }));
    expect(harness.bodiesIn('fanOut')).toEqual([]);
  });

  it('is made once for each client, however many stores have it', async () => {
    let clients = 0;
    const client = () => ({});
    const warmUp = async () => {
      clients += 1;
    };
    const two = [topics, persons].map((store): Store => ({ ...store, client, warmUp }));
    await warmUpStores(two, ['topics:read', 'topics:create', 'persons:read'], process.env);
    expect(clients).toBe(1);
  });

  it('is made beside it by a store that requests ask beside another, so that each has its connection', async () => {
    const client = () => ({});
    const underWay: string[] = [];
    const bothUnderWay = Promise.withResolvers<void>();
    const stores = [journal, topics, persons].map((store): Store => {
      const warmUp = async () => {
        underWay.push(store.name);
        if (underWay.length === 2) bothUnderWay.resolve();
        await bothUnderWay.promise;
      };
      return { ...store, client, warmUp };
    });
    await warmUpStores(stores, ['topics:read', 'persons:read', 'journal:write'], process.env);
    expect(underWay).toEqual(['journal', 'topics']);
  });

  it('is waited for, though that of another client is refused before', async () => {
    const isRefused = Promise.withResolvers<void>();
    let isDone = false;
    const refused = async () => {
      isRefused.resolve();
      throw new Error('refused');
    };
    const slow = async () => {
      await isRefused.promise;
      await nextTurn();
      isDone = true;
    };
    const both = [refused, slow].map(
      (warmUp, index): Store => ({ ...([topics, persons][index] as Store), client: () => ({ index }), warmUp }),
    );
    await warmUpStores(both, ['topics:read', 'persons:read'], process.env);
    expect(isDone).toBe(true);
  });
});

describe('what is prepared while Lambda initialises a function', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.useRealTimers();
  });

  it('is done once, whatever fails of it', async () => {
    const done: string[] = [];
    warmUpWith(() => {
      throw new Error('at once');
    });
    warmUpWith(() => Promise.reject(new Error('later')));
    warmUpWith(async () => void done.push('done'));
    await runWarmUps();
    await runWarmUps();
    expect(done).toEqual(['done']);
    expect(Object.values(harness.lines).flat()).toEqual([]);
  });

  it('keeps nobody waiting for ever', async () => {
    vi.useFakeTimers();
    warmUpWith(() => new Promise(() => {}));
    const running = runWarmUps().then(() => 'ended');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await running).toBe('ended');
  });

  it('is not done where the stack says so', async () => {
    vi.stubEnv('WARM_UP', 'off');
    const done: string[] = [];
    warmUpWith(() => done.push('done'));
    await runWarmUps();
    expect(done).toEqual([]);
    vi.unstubAllEnvs();
    await runWarmUps();
    expect(done).toEqual(['done']);
  });
});
