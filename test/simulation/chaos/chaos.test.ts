import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chanceOf } from '../clock/chance.ts';
import { stranger } from './acts.ts';
import { type Post, type SubscriptionFacts, wasStruck } from './history.ts';
import { judge } from './judge.ts';
import { planOf } from './plan.ts';
import { type Played, play } from './play.ts';
import { playSeeds, type Result } from './play-seeds.ts';
import { prepareProcess } from './world.ts';

const seeds = 200;
// What hangs ends; nothing is too slow because the machine has other work.
const mostMs = 600_000;

describe('chaos', () => {
  it(`breaks no promise in ${seeds} seeds`, { timeout: mostMs }, async () => {
    const results: Result[] = [];
    await playSeeds({ from: 1, to: seeds + 1, step: 1 }, (result) => results.push(result));
    expect(results.filter(({ broken }) => broken.length > 0)).toEqual([]);
    const sum = (name: keyof Result['counts']) => results.reduce((total, { counts }) => total + counts[name], 0);
    // It would be of no use where nothing happened.
    expect(sum('posts')).toBeGreaterThan(1000);
    expect(sum('strikes')).toBeGreaterThan(1000);
    expect(sum('deaths')).toBeGreaterThan(100);
    expect(sum('repeats')).toBeGreaterThan(10);
  });
});

describe('a seed', () => {
  beforeAll(prepareProcess);

  it('is played the same way each time, whatever was played before it', { timeout: mostMs }, async () => {
    const lines = async (seed: number): Promise<string[]> => {
      const all: string[] = [];
      await play(seed, (line) => all.push(line));
      return all;
    };
    const first = await lines(310);
    await play(311);
    // What functions keep for some minutes is too old by then: a seed has a time of its own.
    const second = await lines(310);
    expect(first.length).toBeGreaterThan(50);
    expect(second).toEqual(first);
  });
});

describe('the judge', () => {
  let played: Played;
  let calm: number;
  beforeAll(async () => {
    await prepareProcess();
    // A seed in which nothing of ours goes wrong, and receivers fail all the same.
    for (calm = 1; ; calm++) {
      const { odds, skewMs, acts } = planOf(chanceOf(calm).fork(), 0);
      const isCalm = Object.values(odds).every((odd) => odd === 0) && skewMs === 0;
      if (!isCalm || acts.some(({ act }) => act === 'purge' || act === 'redeliver')) continue;
      played = await play(calm);
      if (retried() !== undefined && taken() !== undefined && staying() !== undefined) break;
    }
  }, mostMs);
  beforeEach(async () => {
    played = await play(calm);
  }, mostMs);

  const events = () => played.history.posts.filter(({ type }) => type === 'Notification');
  const taken = () => events().find(({ outcome, run }) => outcome?.class === 'delivered' && !wasStruck(run));
  /** Somebody who wants everything, and has stayed active until the end. */
  const staying = () =>
    [...played.history.subscriptions.keys()].find(
      (uuid) => played.history.activeSince(uuid)?.row.subjects.length === 0,
    );
  /** An attempt that failed, and whose retry followed. */
  const retried = () =>
    events().find(({ uuid, messageId, outcome, run, at }) => {
      const next = events().find((one) => one.uuid === uuid && one.messageId === messageId && one.at > at);
      return next !== undefined && outcome?.class === 'http' && !wasStruck(run);
    });
  const found = (): string[] => [...new Set(judge(played).map(({ invariant }) => invariant))];

  it('finds nothing where nothing is wrong', () => {
    expect(found()).toEqual([]);
  });

  it('sees that a stranger changed what is another’s, or got it', () => {
    const { subscriptions } = played.history;
    const { uuid } = taken() as Post;
    const versions = subscriptions.get(uuid) ?? [];
    const active = versions.findLast(({ row }) => row?.isActive)?.row as SubscriptionFacts;
    const judged = (row: SubscriptionFacts | undefined, by?: string) => {
      subscriptions.set(uuid, [...versions, { at: 1, row: active, by: undefined }, { at: 2, row, by }]);
      return found().includes('a stranger changes nothing of the owner');
    };
    expect(judged({ ...active, requests: {} }, stranger)).toBe(false);
    expect(judged({ ...active, maxRetries: 7 }, stranger)).toBe(true);
    expect(judged(undefined, stranger)).toBe(true);
    expect(judged({ ...active, owner: stranger })).toBe(true);
  });

  it('sees that a message came twice', () => {
    const { posts } = played.history;
    const post = taken();
    posts.push({ ...(post as Post), at: Number.MAX_SAFE_INTEGER });
    expect(found()).toContain('a message comes once');
  });

  it('sees that a retry came early', () => {
    const post = retried() as Post;
    Object.assign(post, { endedAt: Number(post.endedAt) + 3_600_000 * 24 });
    expect(found()).toContain('no retry comes early');
  });

  it('sees that somebody got what they did not want', () => {
    played.history.subscriptions.clear();
    expect(found()).toContain('nothing comes to who does not want it');
  });

  it('sees that the ledger says what no receiver saw', () => {
    const post = taken() as Post;
    const { posts } = played.history;
    posts.splice(0, posts.length, ...posts.filter((one) => one.messageId !== post.messageId));
    expect(found()).toContain('delivered is what a receiver took');
  });

  it('sees that a message got lost, and a failure twice reported', () => {
    played.history.publications.push({ messageId: 'lost', body: '', at: 0, isInLedger: true });
    const { run } = taken() as Post;
    for (const _ of [1, 2]) played.history.reports.push({ messageId: 'm', uuid: 'u', run });
    expect(found()).toEqual(['a published message is not lost', 'a failure is reported once']);
  });

  it('sees that a recovery has left something out', () => {
    const { history } = played;
    const uuid = String(staying());
    const active = history.activeSince(uuid);
    const at = Math.max(...history.posts.map((post) => post.at));
    const { generation = '', confirmedAt = 0 } = active?.row ?? {};
    const missed = { generation, timestamp: confirmedAt + 60_000, topicName: 'topic 0', subject: undefined };
    history.messages.set('missed', missed);
    expect(found()).toEqual([]);
    history.recoveries.push({ uuid, at, since: 0, until: at, isAccepted: true });
    expect(found()).toEqual(['a recovery leaves nothing out']);
  });

  it('sees that an import was not of the whole of a file', () => {
    const { plan, imports } = played;
    imports.imports.push({ sha256: 'of its first byte', importId: 'one', begunAt: 0, endedAt: 1 });
    const broken = judge({ ...played, plan: { ...plan, hasImports: true } });
    expect(broken.map(({ invariant }) => invariant)).toContain('an import is of a file that was put');
  });

  it('sees that two events were taken under one id', () => {
    const { messageId, body } = taken() as Post;
    played.history.publications.push({ messageId, body: `${body} `, at: 0, isInLedger: true });
    expect(found()).toEqual(['an id stands for one event']);
  });

  it('sees a fault that nobody put in the way', () => {
    taken()?.run?.logged.push('Fault');
    expect(found()).toEqual(['no fault comes by itself']);
  });
});
