import type { Chance } from '../clock/chance.ts';
import type { Odds } from './faults.ts';
import { type ImportAct, importActs } from './plan-imports.ts';
import type { Mood, Person } from './receivers.ts';

const minute = 60_000;
const hour = 60 * minute;

export interface Subscriber extends Person {
  readonly topic: string;
  readonly policy: string | undefined;
  /** The events that they want; none: all of them. */
  readonly subjects: readonly string[];
}

interface Publishing {
  readonly act: 'publish';
  readonly topic: string;
  readonly body: string;
  readonly key: string | undefined;
  readonly subject: string | undefined;
}

/** Something that somebody does, so long after the beginning (milliseconds). */
export type Act = { readonly afterMs: number } & (
  | { readonly act: 'create' | 'deleteTopic'; readonly topic: string }
  | { readonly act: 'subscribe' | 'leave' | 'bounce' | 'test'; readonly who: Subscriber }
  | { readonly act: 'change'; readonly who: Subscriber; readonly patch: object }
  | { readonly act: 'meddle'; readonly who: Subscriber; readonly by: 'subscribing' | 'leaving' | 'changing' }
  | Publishing
  | { readonly act: 'redeliver'; readonly by: 'since' | 'message' | 'subscription' }
  | { readonly act: 'again' | 'recover' }
  | { readonly act: 'purge'; readonly queue: string }
  | ImportAct
);

/** What a seed stands for. */
export interface Plan {
  readonly acts: readonly Act[];
  readonly people: readonly Subscriber[];
  /** Subscriptions are everybody's; else each is its client's own, and strangers meddle. */
  readonly isShared: boolean;
  readonly odds: Odds;
  /** How long things go wrong, from the beginning. */
  readonly faultsMs: number;
  readonly skewMs: number;
  readonly indexLagMs: number;
  readonly readLagMs: number;
  /** How often the page of a Query ends after a row, however few it has. */
  readonly pageEnds: number;
  /** Files of changes are put into the bucket, which may keep versions. */
  readonly hasImports: boolean;
  readonly isVersioned: boolean;
  /** How late the lanes are at the most. */
  readonly pollDelayMs: number;
}

const policies = {
  '60,3': 5,
  '30,5': 4,
  '10,2': 4,
  '1,0': 3,
  '300,-1': 2,
  '600,4': 3,
  '3600,2': 2,
  '1,-1': 1,
  '21600,2': 1,
  none: 1,
};

// Policies that end within a day or so: their receivers may fail for good.
const ending = ['60,3', '30,5', '10,2', '1,0', '600,4', '3600,2', '21600,2'];

const moods = (protocol: Person['protocol'], chance: Chance): Mood => {
  const kind = chance.weighed({ ok: 6, slow: 2, hang: 2, refused: 1, flapping: 2, status: 3, postponed: 1 });
  if (kind === 'postponed') return { is: protocol === 'email' ? 'postponed' : 'slow' };
  if (kind !== 'status') return { is: kind };
  const status = chance.pick([500, 404, 429, 503, 503, 410]);
  // Asked to leave for good now and then only.
  if (status === 410 && chance.happens(0.7)) return { is: 'status', status: 500 };
  const isAsked = (status === 429 || status === 503) && chance.happens(0.6);
  return { is: 'status', status, ...(isAsked ? { retryAfterSeconds: chance.int(1, 1800) } : {}) };
};

function moodsOf(
  protocol: Person['protocol'],
  policy: string | undefined,
  start: number,
  faultsMs: number,
  chance: Chance,
): Person['moods'] {
  // A second between two attempts without end is borne for some minutes only.
  const span = policy === '1,-1' ? Math.min(faultsMs, 2 * minute) : faultsMs;
  const times = Array.from({ length: chance.int(0, 3) }, () => start + chance.int(0, span)).toSorted((a, b) => a - b);
  const before = times.map((until) => ({ until, mood: moods(protocol, chance) }));
  const isDead = policy !== undefined && ending.includes(policy) && chance.happens(0.2);
  const last: Mood = isDead ? { is: 'status', status: 500 } : { is: 'ok' };
  return [...before, { until: Number.POSITIVE_INFINITY, mood: last }];
}

const subjectNames = ['birth 1', 'birth 2', 'birth 3'];

const filterOf = (chance: Chance): string[] =>
  chance.happens(0.6) ? [] : subjectNames.filter(() => chance.happens(0.5));

function subscriberOf(index: number, topics: readonly string[], start: number, faultsMs: number, chance: Chance) {
  const protocol = chance.happens(0.8) ? 'http' : 'email';
  const drawn = chance.weighed(policies);
  const policy = drawn === 'none' ? undefined : drawn;
  const address = protocol === 'http' ? `http://9.${chance.int(0, 3)}.0.${index}/hook` : `person${index}@mail.example`;
  const who: Subscriber = {
    protocol,
    address,
    topic: chance.pick(topics),
    policy,
    subjects: filterOf(chance),
    moods: moodsOf(protocol, policy, start, faultsMs, chance),
    lostAnswers: chance.pick([0, 0, 0.05, 0.3]),
    confirms: chance.weighed({ inside: 5, later: 3, twice: 1, never: 1 }),
  };
  return who;
}

const oddsOf = (chance: Chance): Odds => {
  // In some seeds nothing of ours goes wrong: what breaks there breaks by itself.
  const scale = chance.pick([0, 0.5, 1, 2, 4]);
  const odd = (most: number): number => scale * chance.pick([0, 0.3, 1]) * most;
  return {
    crash: Math.min(0.05, odd(0.02)),
    throttle: odd(0.05),
    lostAnswer: Math.min(0.1, odd(0.04)),
    outage: odd(0.005),
    slow: odd(0.005),
    shownTwice: Math.min(0.15, odd(0.08)),
    refusedEntry: Math.min(0.1, odd(0.05)),
    lostDelete: Math.min(0.1, odd(0.05)),
  };
};

/** What happens by this chance, from `start` (epoch milliseconds) on. */
export function planOf(chance: Chance, start: number): Plan {
  const faultsMs = chance.pick([5 * minute, 20 * minute, hour, 3 * hour]);
  const topics = Array.from({ length: chance.int(1, 2) }, (_, index) => `topic ${index}`);
  const people = Array.from({ length: chance.int(0, 7) }, (_, index) =>
    subscriberOf(index, topics, start, faultsMs, chance),
  );
  const later = (): number => chance.int(2000, faultsMs);
  const early = (): number => (chance.happens(0.7) ? chance.int(1000, 30_000) : later());
  const times = <Item>(most: number, make: () => Item): Item[] => Array.from({ length: chance.int(0, most) }, make);

  const someone = (act: 'subscribe' | 'leave' | 'bounce' | 'test') =>
    people.length === 0 ? [] : [{ act, who: chance.pick(people), afterMs: later() }];
  const publications = Array.from({ length: chance.int(1, 5) }, (_, index): Act & { act: 'publish' } => ({
    act: 'publish',
    topic: chance.pick(topics),
    body: JSON.stringify({ event: index, text: 'x'.repeat(chance.happens(0.15) ? 6000 : 10) }),
    key: chance.happens(0.5) ? `key-${index}` : undefined,
    subject: chance.happens(0.7) ? chance.pick(subjectNames) : undefined,
    afterMs: chance.happens(0.2) ? chance.int(1000, 40_000) : chance.int(40_000, Math.max(60_000, faultsMs)),
  }));
  const again = publications
    .filter(({ key }) => key !== undefined && chance.happens(0.5))
    .map((act) => ({ ...act, afterMs: act.afterMs + chance.int(0, chance.pick([3000, 20 * minute])) }));
  const other = publications
    .filter(({ key }) => key !== undefined && chance.happens(0.4))
    .map((act) => ({
      ...act,
      body: JSON.stringify({ other: act.body.length }),
      afterMs: act.afterMs + chance.pick([0, chance.int(0, 100), chance.int(0, 20 * minute)]),
    }));
  const acts: Act[] = [
    ...topics.map((topic) => ({ act: 'create' as const, topic, afterMs: 0 })),
    ...people.map((who) => ({ act: 'subscribe' as const, who, afterMs: early() })),
    ...publications,
    ...again,
    ...other,
    ...times(2, () => someone('subscribe')).flat(),
    ...times(2, () => someone('leave')).flat(),
    ...times(2, () => someone('test')).flat(),
    ...times(3, () => otherWishes(people, later(), chance)).flat(),
    ...times(1, () => (chance.happens(0.3) ? someone('bounce') : [])).flat(),
    ...(chance.happens(0.15) ? turn(chance.pick(topics), people, later(), chance) : []),
    ...(chance.happens(0.2) ? publications.map(({ afterMs }) => purge(afterMs + chance.int(10, 40_000), chance)) : []),
    ...(chance.happens(0.25) ? deletion(chance.pick(topics), later(), chance) : []),
    ...times(1, () => ({
      act: 'redeliver' as const,
      by: chance.pick(['since', 'message', 'subscription'] as const),
      afterMs: later() + chance.int(0, hour),
    })),
    ...(chance.happens(0.3) ? times(2, () => purge(later(), chance)) : []),
    ...times(2, () => ({ act: 'again' as const, afterMs: later() + chance.int(0, hour) })),
    ...times(2, () => ({ act: 'recover' as const, afterMs: later() + chance.int(0, hour) })),
  ];
  const facts = {
    odds: oddsOf(chance),
    faultsMs,
    skewMs: chance.pick([0, 0, 500, 2000]),
    indexLagMs: chance.pick([0, 100, 2000, 20_000]),
    readLagMs: chance.pick([0, 100, 1000]),
    pageEnds: chance.pick([0, 0.2, 0.6]),
    pollDelayMs: chance.pick([20, 20, 500, 5000, 30_000]),
  };
  const isShared = people.length === 0 || chance.happens(0.4);
  const meddling = isShared ? [] : times(8, () => meddlingWith(people, early(), chance));
  const hasImports = chance.happens(0.6);
  const isVersioned = chance.happens(0.7);
  const changes = hasImports ? importActs(faultsMs, isVersioned, chance.fork()) : [];
  return { ...facts, acts: [...acts, ...meddling, ...changes], people, isShared, hasImports, isVersioned };
}

/** Another client wants what is somebody's. */
const meddlingWith = (people: readonly Subscriber[], afterMs: number, chance: Chance): Act => ({
  act: 'meddle',
  who: chance.pick(people),
  by: chance.weighed({ subscribing: 3, leaving: 1, changing: 1 }),
  afterMs,
});

/** A topic that is published to, deleted, and made again with the same people, all within some seconds. */
function turn(topic: string, people: readonly Subscriber[], afterMs: number, chance: Chance): Act[] {
  let at = afterMs;
  const soon = (): number => (at += chance.int(20, 1200));
  return [
    { act: 'publish', topic, body: JSON.stringify({ turn: afterMs }), key: undefined, subject: undefined, afterMs },
    { act: 'deleteTopic', topic, afterMs: soon() },
    { act: 'create', topic, afterMs: soon() },
    ...people
      .filter((who) => who.topic === topic)
      .map((who) => ({ act: 'subscribe' as const, who, afterMs: at + chance.int(20, 2000) })),
  ];
}

/** Somebody wants other events, or another policy. */
function otherWishes(people: readonly Subscriber[], afterMs: number, chance: Chance): Act[] {
  if (people.length === 0) return [];
  const subjects = filterOf(chance);
  const filter = { subjects: subjects.length === 0 ? null : subjects };
  const patch = chance.pick([filter, filter, { policy: chance.pick(ending) }]);
  return [{ act: 'change', who: chance.pick(people), patch, afterMs }];
}

function deletion(topic: string, afterMs: number, chance: Chance): Act[] {
  const gone = { act: 'deleteTopic' as const, topic, afterMs };
  const back = { act: 'create' as const, topic, afterMs: afterMs + chance.int(0, 5 * minute) };
  return chance.happens(0.7) ? [gone, back] : [gone];
}

const purge = (afterMs: number, chance: Chance): Act => ({
  act: 'purge',
  queue: chance.pick(['fanOut', 'http', 'slow', 'email', 'retry', 'httpConfirmations', 'emailConfirmations']),
  afterMs,
});
