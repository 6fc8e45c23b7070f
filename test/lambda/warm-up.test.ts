import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { esbuildOptions } from '../../infra/build/esbuild-options.ts';
import { actionsOf, type Capability, type CapabilityName, capabilities } from '../../shared/contract/capabilities.ts';
import type { Store } from '../../shared/contract/define-store.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import { warmUpStores } from '../../shared/lambda/environment.ts';
import { runWarmUps, warmUpWith } from '../../shared/lambda/warm-up.ts';
import { journal } from '../../shared/storage/journal/store.ts';
import { persons } from '../../shared/storage/persons/store.ts';
import { topics } from '../../shared/storage/topics/store.ts';
import { everyStore } from '../harness/every-store.ts';
import { useHarness } from '../harness/harness.ts';
import type { Interference } from '../harness/interference.ts';

const harness = useHarness();
const storesWithWarmUp = everyStore.filter(({ warmUp }) => warmUp !== undefined);
const storeOf = (use: string) => storesWithWarmUp.find(({ name }) => use.startsWith(`${name}:`));
const uses = Object.keys(capabilities) as CapabilityName[];
// Excludes `journal:writeMany`, whose warm-up would write rows.
const warmedUp = uses.filter(
  (use) => storeOf(use) !== undefined && !('bucket' in capabilities[use]) && use !== 'journal:writeMany',
);

// Calls to `SendMessageBatch` require the IAM permission for `SendMessage`.
const iamNames: Readonly<Record<string, string>> = { SendMessageBatch: 'SendMessage' };

/** Returns the IAM names of the actions in a warm-up, and the error name if a request is malformed. */
async function actionsRequestedBy(use: CapabilityName): Promise<string[]> {
  const store = storeOf(use);
  const requested: string[] = [];
  const recordActions: Interference = {
    call({ command }, go) {
      requested.push(iamNames[command] ?? command);
      return go().catch((error: Error) => {
        if (error.name === 'ValidationException') requested.push(error.name);
        throw error;
      });
    },
  };
  // Ignores the result of the warm-up, as Lambda does.
  await harness.interfereDuring(recordActions, () =>
    warmUpStores(store === undefined ? [] : [store], [use], process.env),
  );
  return requested;
}

const tableOf = (use: CapabilityName): TableName | undefined => {
  const capability: Capability = capabilities[use];
  return 'table' in capability ? capability.table : undefined;
};

it('the test covers the warm-ups of more than 40 capabilities', () => {
  expect(warmedUp.length).toBeGreaterThan(40);
});

it.each(warmedUp)(
  'the warm-up for %s needs only the permissions of that capability and changes no rows',
  async (use) => {
    const topic = await harness.newTopic();
    const table = tableOf(use);
    const before = table && (await harness.rows(table));
    const actions = await actionsRequestedBy(use);
    const granted = actionsOf(capabilities[use]).map((action) => action.split(':')[1]);
    expect(granted).toEqual(expect.arrayContaining(actions));
    expect(new Set(actions).size).toBe(1);
    expect(table && (await harness.rows(table))).toEqual(before);
    expect(await harness.rows('topics')).toContainEqual(expect.objectContaining({ uuid: topic.uuid }));
    expect(harness.bodiesIn('fanOut')).toEqual([]);
  },
);

it('a client is warmed up once, even if several stores share it', async () => {
  let clients = 0;
  const client = () => ({});
  const warmUp = async () => {
    clients += 1;
  };
  const two = [topics, persons].map((store): Store => ({ ...store, client, warmUp }));
  await warmUpStores(two, ['topics:read', 'topics:create', 'persons:read'], process.env);
  expect(clients).toBe(1);
});

it('a store that is used concurrently makes its own warm-up call, even if another store has warmed up its client', async () => {
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

it('warmUpStores waits for each warm-up, even if another warm-up fails earlier', async () => {
  const hasFailed = Promise.withResolvers<void>();
  let isDone = false;
  const failing = async () => {
    hasFailed.resolve();
    throw new Error('rejected');
  };
  const slow = async () => {
    await hasFailed.promise;
    await nextTurn();
    isDone = true;
  };
  const both = [failing, slow].map(
    (warmUp, index): Store => ({ ...([topics, persons][index] as Store), client: () => ({ index }), warmUp }),
  );
  await warmUpStores(both, ['topics:read', 'persons:read'], process.env);
  expect(isDone).toBe(true);
});

describe('initialisation work', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.useRealTimers();
  });

  it('initialisation work runs once, even if parts of it fail', async () => {
    const done: string[] = [];
    warmUpWith(() => {
      throw new Error('at once');
    });
    warmUpWith(() => Promise.reject(new Error('later')));
    warmUpWith(async () => void done.push('done'));
    // The last line of each bundle.
    const last = `data:text/javascript,${encodeURIComponent(esbuildOptions.footer.js)}`;
    for (const run of [1, 2]) await import(/* @vite-ignore */ `${last}//${run}`);
    expect(done).toEqual(['done']);
    expect(Object.values(harness.lines).flat()).toEqual([]);
  });

  it('initialisation work delays the function by at most one second', async () => {
    vi.useFakeTimers();
    warmUpWith(() => new Promise(() => {}));
    const running = runWarmUps().then(() => 'ended');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await running).toBe('ended');
  });

  it('no initialisation work is done if WARM_UP is off', async () => {
    vi.stubEnv('WARM_UP', 'off');
    const done: string[] = [];
    warmUpWith(() => done.push('done'));
    await runWarmUps();
    expect(done).toEqual([]);
    vi.unstubAllEnvs();
    await runWarmUps();
    expect(done).toEqual([]);
  });
});
