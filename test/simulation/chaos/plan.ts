import { type DeliveryFormat, deliveryFormats } from '../../../shared/domain/subscriptions/subscription.ts';
import { statusTopicName } from '../../../shared/domain/topics/topic.ts';
import type { Chance } from '../clock/chance.ts';
import { isSmall } from '../edits/mode.ts';
import type { Odds } from './faults.ts';
import { type ImportAct, importActs } from './plan-imports.ts';
import { type Behaviour, drawBehaviour, type Person } from './receivers.ts';

const minute = 60_000;
const hour = 60 * minute;

export interface Subscriber extends Person {
  readonly topic: string;
  readonly policy: string | undefined;
  /** The event types to which the client subscribes. An empty list means all event types. */
  readonly subjects: readonly string[];
  readonly deliveryFormat: DeliveryFormat | undefined;
}

interface Publishing {
  readonly act: 'publish';
  readonly topic: string;
  readonly body: string;
  readonly key: string | undefined;
  readonly subject: string | undefined;
}

/** An action that a client or an operator takes `afterMs` milliseconds after the start of the simulation. */
export type Act = { readonly afterMs: number } & (
  | { readonly act: 'create' | 'deleteTopic'; readonly topic: string }
  | { readonly act: 'subscribe' | 'unsubscribe' | 'bounce' | 'test'; readonly who: Subscriber }
  | { readonly act: 'change'; readonly who: Subscriber; readonly patch: object }
  | { readonly act: 'interfere'; readonly who: Subscriber; readonly by: 'subscribe' | 'unsubscribe' | 'change' }
  | Publishing
  | { readonly act: 'redeliver'; readonly by: 'since' | 'message' | 'subscription' }
  | { readonly act: 'redeliverOne' | 'recover' | 'rotateSecret' }
  | { readonly act: 'purge'; readonly queue: string }
  | ImportAct
);

/** The parts of a simulation that the seed determines before the simulation starts. */
export interface Plan {
  readonly acts: readonly Act[];
  readonly people: readonly Subscriber[];
  /**
   * True if all clients share the subscriptions. If false, each client has its own subscriptions, and another client
   * tries to change them.
   */
  readonly isShared: boolean;
  readonly odds: Odds;
  /** The number of milliseconds after the start during which faults are injected. */
  readonly faultsMs: number;
  readonly skewMs: number;
  /** The maximum lag of the indexes of the deliveries table. */
  readonly indexLagMs: number;
  /** The maximum lag of the indexes of all other tables. */
  readonly shortIndexLagMs: number;
  readonly readLagMs: number;
  /** The time between the expiry of a row and its deletion. */
  readonly ttlLagMs: number;
  readonly otherVersion: 'older' | 'newer' | undefined;
  /** The number of subscriptions per task. With a low number, even a few subscriptions are split into several tasks. */
  readonly perTask: number;
  /** The probability that a page of a Query or Scan ends after one row. */
  readonly pageEnds: number;
  /** Whether clients upload import files. */
  readonly hasImports: boolean;
  readonly isVersioned: boolean;
  /**
   * Whether operators rotate the signing secret. Messages are signed only if the secret is rotated, because signatures
   * take time.
   */
  readonly rotatesSecret: boolean;
  /** The maximum delay between the arrival of a message and the next poll of its event source. */
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
  '46800,2': 3,
  none: 1,
};

// Policies whose retries end within about two days. A receiver with such a policy may fail until the simulation ends.
const endingPolicies = ['60,3', '30,5', '10,2', '1,0', '600,4', '3600,2', '21600,2', '46800,2'];

function behavioursOf(
  protocol: Person['protocol'],
  policy: string | undefined,
  start: number,
  faultsMs: number,
  chance: Chance,
): Person['behaviours'] {
  // If retries are unlimited and one second apart, receivers fail for at most two minutes, which limits the number of
  // attempts.
  const span = policy === '1,-1' ? Math.min(faultsMs, 2 * minute) : faultsMs;
  const times = Array.from({ length: chance.int(0, 3) }, () => start + chance.int(0, span)).toSorted((a, b) => a - b);
  const before = times.map((until) => ({ until, behaviour: drawBehaviour(protocol, chance) }));
  const isDead = policy !== undefined && endingPolicies.includes(policy) && chance.happens(0.2);
  const last: Behaviour = isDead ? { is: 'status', status: 500 } : { is: 'ok' };
  // A receiver that will fail permanently works at first, so that it can confirm its subscription.
  const first = isDead ? [{ until: start + 2 * minute, behaviour: { is: 'ok' } as const }] : [];
  return [...first, ...before, { until: Number.POSITIVE_INFINITY, behaviour: last }];
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
    deliveryFormat: chance.pick([undefined, ...deliveryFormats]),
    behaviours: behavioursOf(protocol, policy, start, faultsMs, chance),
    lostResponses: chance.pick([0, 0, 0.05, 0.3]),
    confirms: chance.weighed({ inside: 5, later: 3, twice: 1, never: 1 }),
    reacts: chance.weighed({
      never: 6,
      unsubscribe: 1,
      change: 1,
      redeliverOne: 1,
      recover: 1,
      subscribe: 1,
      bounce: 2,
    }),
  };
  return who;
}

/** Returns a receiver that subscribes to the status events of all other subscriptions. */
const watcherOf = (index: number, start: number, faultsMs: number, chance: Chance): Subscriber => ({
  ...subscriberOf(index, [statusTopicName], start, faultsMs, chance),
  ...{ protocol: 'http', address: `http://9.9.0.${index}/status`, subjects: [], confirms: 'inside', reacts: 'never' },
});

/**
 * Returns a receiver that fails for over an hour, and recovers within an hour of the status event about the failure.
 */
const failingOf = (topics: readonly string[], start: number, faultsMs: number, chance: Chance): Subscriber => ({
  ...subscriberOf(0, topics, start, faultsMs, chance),
  ...{ protocol: 'http', address: 'http://9.9.1.0/hook', policy: '300,-1', subjects: [] },
  ...{ confirms: 'inside', reacts: 'never', lostResponses: 0 },
  behaviours: [
    { until: start + 2 * minute, behaviour: { is: 'ok' } },
    { until: start + chance.int(64, 110) * minute, behaviour: { is: 'status', status: 500 } },
    { until: Number.POSITIVE_INFINITY, behaviour: { is: 'ok' } },
  ],
});

const oddsOf = (chance: Chance): Odds => {
  // Some seeds inject no faults, so that no fault can excuse a violation. Small mode has fewer faults, because repeated
  // messages multiply across the many segments of a reconciliation.
  const scale = chance.pick(isSmall() ? [0, 0.5, 1] : [0, 0.5, 1, 2, 4]);
  const odd = (max: number): number => scale * chance.pick([0, 0.3, 1]) * max;
  return {
    crash: Math.min(0.05, odd(0.02)),
    throttle: odd(0.05),
    denied: odd(0.002),
    lostResponse: Math.min(0.1, odd(0.04)),
    outage: odd(0.005),
    slow: odd(0.005),
    shownTwice: Math.min(0.2, odd(0.1)),
    rejectedEntry: Math.min(0.1, odd(0.05)),
    lostDelete: Math.min(0.1, odd(0.05)),
    late: Math.min(0.1, odd(0.04)),
    unprocessed: Math.min(0.1, odd(0.05)),
    retired: Math.min(0.3, odd(0.2)),
    emptied: scale === 0 ? 0 : chance.pick([0, 0.5]),
  };
};

/** Returns the plan for a seed. The simulation starts at `start` (epoch milliseconds). */
export function planOf(chance: Chance, start: number): Plan {
  const faultsMs = chance.pick([5 * minute, 20 * minute, hour, 3 * hour]);
  const topics = Array.from({ length: chance.int(1, 2) }, (_, index) => `topic ${index}`);
  const [mostPeople, mostPublications, mostInterferences] = isSmall() ? [14, 5, 8] : [5, 4, 4];
  const people = Array.from({ length: chance.int(0, mostPeople) }, (_, index) =>
    subscriberOf(index, topics, start, faultsMs, chance),
  );
  const later = (): number => chance.int(2000, faultsMs);
  const early = (): number => (chance.happens(0.7) ? chance.int(1000, 30_000) : later());
  const times = <Item>(max: number, make: () => Item): Item[] => Array.from({ length: chance.int(0, max) }, make);

  // In normal mode, fewer seeds contain parts that take much time, so that more seeds are simulated per second.
  const isCostlyPart = (share: number): boolean => chance.happens(isSmall() ? share : share / 4);

  const actOf = (act: 'subscribe' | 'unsubscribe' | 'bounce' | 'test') =>
    people.length === 0 ? [] : [{ act, who: chance.pick(people), afterMs: later() }];
  const publications = Array.from(
    { length: chance.int(1, mostPublications) },
    (_, index): Act & { act: 'publish' } => ({
      act: 'publish',
      topic: chance.pick(topics),
      body: JSON.stringify({ event: index, text: 'x'.repeat(chance.happens(0.3) ? 6000 : 10) }),
      key: chance.happens(0.5) ? `key-${index}` : undefined,
      subject: chance.happens(0.7) ? chance.pick(subjectNames) : undefined,
      afterMs: chance.happens(0.2) ? chance.int(1000, 40_000) : chance.int(40_000, Math.max(60_000, faultsMs)),
    }),
  );
  const repeated = publications
    .filter(({ key }) => key !== undefined && chance.happens(0.5))
    .map((act) => ({ ...act, afterMs: act.afterMs + chance.int(0, chance.pick([3000, 20 * minute])) }));
  const conflicting = publications
    .filter(({ key }) => key !== undefined && chance.happens(0.4))
    .map((act) => ({
      ...act,
      body: JSON.stringify({ other: act.body.length }),
      afterMs: act.afterMs + chance.pick([0, chance.int(0, 100), chance.int(0, 20 * minute)]),
    }));
  const whenExpired = (): number => 24 * hour + chance.int(-hour, faultsMs + hour);
  const expiredActs = (['redeliverOne', 'recover'] as const).map((act) => ({ act, afterMs: whenExpired() }));
  const acts: Act[] = [
    ...(chance.happens(0.2) ? [...expiredActs, redeliver(whenExpired(), chance)] : []),
    ...topics.map((topic) => ({ act: 'create' as const, topic, afterMs: 0 })),
    ...people.map((who) => ({ act: 'subscribe' as const, who, afterMs: early() })),
    ...publications,
    ...repeated,
    ...conflicting,
    ...times(2, () => actOf('subscribe')).flat(),
    ...times(2, () => actOf('unsubscribe')).flat(),
    ...times(2, () => actOf('test')).flat(),
    ...times(3, () => patchOf(people, later(), chance)).flat(),
    ...times(1, () => (chance.happens(0.7) ? rejoin('bounce', people, later(), chance) : [])).flat(),
    ...times(2, () => rejoin('unsubscribe', people, later(), chance)).flat(),
    ...publications.flatMap(({ afterMs }) => meanwhile(people, afterMs, chance)),
    ...(chance.happens(0.3) ? recreateTopic(chance.pick(topics), people, later(), chance) : []),
    ...(chance.happens(0.2) ? publications.map(({ afterMs }) => purge(afterMs + chance.int(10, 40_000), chance)) : []),
    ...(chance.happens(0.25) ? deletion(chance.pick(topics), later(), chance) : []),
    ...times(1, () => redeliver(later() + chance.int(0, hour), chance)),
    ...(chance.happens(0.3) ? times(2, () => purge(later(), chance)) : []),
    ...times(3, () => ({ act: 'redeliverOne' as const, afterMs: later() + chance.int(0, hour) })),
    ...times(3, () => ({ act: 'recover' as const, afterMs: later() + chance.int(0, hour) })),
  ];
  const indexLagMs = chance.pick([0, 100, 2000, 20_000, 8 * minute]);
  const facts = {
    odds: oddsOf(chance),
    faultsMs,
    skewMs: chance.pick([0, 0, 500, 2400]),
    indexLagMs,
    shortIndexLagMs: Math.min(indexLagMs, 20_000),
    readLagMs: chance.pick([0, 100, 1000]),
    ttlLagMs: chance.pick([0, 0, 12 * hour, 48 * hour]),
    otherVersion: chance.pick([undefined, undefined, 'older', 'newer'] as const),
    perTask: chance.pick(isSmall() ? [1, 1, 4] : [3, 3, 1]),
    pageEnds: chance.pick(isSmall() ? [0, 0.2, 0.6, 0.9] : [0, 0.2, 0.6]),
    pollDelayMs: chance.pick([20, 20, 500, 5000, 30_000]),
  };
  const isShared = people.length === 0 || chance.happens(0.4);
  const interferences = isShared ? [] : times(mostInterferences, () => interferenceWith(people, early(), chance));
  const hasImports = isCostlyPart(0.6);
  const isVersioned = chance.happens(0.7);
  const changes = hasImports ? importActs(faultsMs, isVersioned, chance.fork()) : [];
  const rotatesSecret = isCostlyPart(0.15);
  const rotations = rotatesSecret ? rotationsAfter(later(), chance) : [];
  const watchers = isCostlyPart(1) ? times(2, () => watcherOf(chance.int(0, 255), start, faultsMs, chance)) : [];
  const watched = watchers.length === 0 ? [] : [failingOf(topics, start, faultsMs, chance)];
  const watching = [...watchers, ...watched].map((who) => ({ act: 'subscribe' as const, who, afterMs: early() }));
  const body = JSON.stringify({ event: 'watched' });
  const noticed = watched.map(({ topic }): Act => {
    return { act: 'publish', topic, body, key: undefined, subject: undefined, afterMs: 150_000 };
  });
  return {
    ...{ ...facts, isShared, hasImports, isVersioned, rotatesSecret },
    acts: [...acts, ...interferences, ...changes, ...rotations, ...watching, ...noticed],
    people: [...people, ...watchers, ...watched],
  };
}

/** Returns one or two rotations of the secret. The second rotation takes place after the overlap of one day. */
function rotationsAfter(afterMs: number, chance: Chance): Act[] {
  const first = { act: 'rotateSecret' as const, afterMs };
  return chance.happens(0.3) ? [first, { ...first, afterMs: afterMs + 24 * hour + chance.int(1, hour) }] : [first];
}

/** Returns an action in which another client requests, changes or deletes a planned subscription. */
const interferenceWith = (people: readonly Subscriber[], afterMs: number, chance: Chance): Act => ({
  act: 'interfere',
  who: chance.pick(people),
  by: chance.weighed({ subscribe: 3, unsubscribe: 1, change: 1 }),
  afterMs,
});

/** Returns actions that change subscriptions, redeliver messages or recover messages, soon after a publication. */
function meanwhile(people: readonly Subscriber[], publishedMs: number, chance: Chance): Act[] {
  if (people.length === 0 || chance.happens(0.5)) return [];
  const afterMs = publishedMs + chance.int(0, chance.pick([30_000, 10 * minute]));
  const act = chance.pick(['subscribe', 'redeliverOne', 'recover'] as const);
  if (act !== 'subscribe') return [{ act, afterMs }];
  return [{ act, who: { ...chance.pick(people), policy: chance.pick(endingPolicies) }, afterMs }];
}

/** Returns actions that end or pause a random subscription, and soon afterwards subscribe the same receiver again. */
function rejoin(by: 'unsubscribe' | 'bounce', people: readonly Subscriber[], afterMs: number, chance: Chance): Act[] {
  if (people.length === 0) return [];
  const who = chance.pick(people);
  const againAfterMs = afterMs + chance.int(20, chance.pick([2000, 10 * minute]));
  return [
    { act: by, who, afterMs },
    { act: 'subscribe', who, afterMs: againAfterMs },
  ];
}

/** Returns actions that publish to a topic, delete it, and create it again with the same subscribers within seconds. */
function recreateTopic(topic: string, people: readonly Subscriber[], afterMs: number, chance: Chance): Act[] {
  let at = afterMs;
  const soon = (): number => (at += chance.int(20, 1200));
  const body = JSON.stringify({ recreated: afterMs });
  return [
    { act: 'publish', topic, body, key: undefined, subject: undefined, afterMs },
    { act: 'deleteTopic', topic, afterMs: soon() },
    { act: 'create', topic, afterMs: soon() },
    ...people
      .filter((who) => who.topic === topic)
      .map((who) => ({ act: 'subscribe' as const, who, afterMs: at + chance.int(20, 2000) })),
  ];
}

/** Returns an action that changes the filter, the policy or the format of a random subscription. */
function patchOf(people: readonly Subscriber[], afterMs: number, chance: Chance): Act[] {
  if (people.length === 0) return [];
  const subjects = filterOf(chance);
  const filter = { subjects: subjects.length === 0 ? null : subjects };
  const patch = chance.pick([filter, filter, { policy: chance.pick(endingPolicies) }, formatPatch(chance)]);
  return [{ act: 'change', who: chance.pick(people), patch, afterMs }];
}

const formatPatch = (chance: Chance) => ({ deliveryFormat: chance.pick([null, ...deliveryFormats]) });

function deletion(topic: string, afterMs: number, chance: Chance): Act[] {
  const deleted = { act: 'deleteTopic' as const, topic, afterMs };
  const created = { act: 'create' as const, topic, afterMs: afterMs + chance.int(0, 5 * minute) };
  return chance.happens(0.7) ? [deleted, created] : [deleted];
}

const redeliver = (afterMs: number, chance: Chance): Act => ({
  act: 'redeliver',
  by: chance.pick(['since', 'message', 'subscription'] as const),
  afterMs,
});

const purge = (afterMs: number, chance: Chance): Act => ({
  act: 'purge',
  queue: chance.pick(['fanOut', 'http', 'slow', 'email', 'retry', 'httpConfirmations', 'emailConfirmations']),
  afterMs,
});

/** Returns the actions with which a receiver reacts to a message. */
export function reactionsOf(who: Subscriber, chance: Chance): Exclude<Act, ImportAct>[] {
  const { reacts } = who;
  const again = { act: 'subscribe' as const, who: { ...who, policy: '20,3' }, afterMs: 0 };
  if (reacts === 'change')
    return [{ act: 'change', who, patch: { policy: '20,3', ...formatPatch(chance) }, afterMs: 0 }];
  if (reacts === 'redeliverOne' || reacts === 'recover') return [{ act: reacts, afterMs: 0 }];
  if (reacts === 'never' || reacts === 'subscribe') return [again];
  return [
    { act: reacts, who, afterMs: 0 },
    { ...again, afterMs: chance.int(1000, chance.pick([10_000, 10 * minute])) },
  ];
}
