import type { DeliveryTask } from '../../model/deliveries/task.ts';
import { foldMailbox, maskMailbox, normaliseMailbox } from '../subscriptions/mailbox-address.ts';
import type { Protocol } from '../subscriptions/subscription.ts';
import { hostOfUrl, maskUrl, normaliseUrl } from '../subscriptions/url-address.ts';
import { mailTimes } from './mail-pace.ts';
import { type DeliveryTimes, receiverTimes } from './times.ts';

/** The settings that the times of channels follow. */
interface TimingSettings {
  readonly receiverTimeoutSeconds: number;
  readonly emailsPerSecond: number;
  readonly subscriptionsPerTask: number;
}

/**
 * The ways to an address: first attempts; first attempts of large topics, many to a copy; retries and whatever is tried
 * alone; requests to confirm, which nobody has consented to and which therefore hold up no event.
 */
export type Lane = 'first' | 'mass' | 'later' | 'confirmations';

/**
 * Everything that tells one protocol from another: whoever needs to know asks this value. A new channel is an entry here,
 * its sender, its worker and its test (shared/delivery/README.md lists the files).
 */
export interface Channel {
  /** Its queues, with what each carries. */
  readonly queues: Readonly<Record<string, string>>;
  /** The queue of each lane; lanes may share one. */
  readonly lanes: Readonly<Record<Lane, string>>;
  /** The one form of an address, already trimmed. @throws Refusal `invalidParameter` naming `address` */
  readonly normaliseAddress: (address: string) => string;
  readonly maskAddress: (address: string) => string;
  /** Whom a flood of requests to confirm would hit. */
  readonly targetOf: (address: string) => { readonly host: string } | { readonly mailbox: string };
  /** What we connect to ourselves, and so must guard; undefined where a service takes the message to the address. */
  readonly connectsTo: ((address: string) => URL) | undefined;
  /**
   * A receiver that takes longer (milliseconds) is slow: what comes next goes to it alone, where it holds up nobody.
   * Undefined where a service takes the message, which does not hang.
   */
  readonly patienceMs: number | undefined;
  /** How long its worker may run and hold a task. */
  readonly times: (settings: TimingSettings) => DeliveryTimes;
}

/** Keeps the names of the queues in the type, and lets lanes name no other. */
const channel = <const Queue extends string, const Lanes extends Readonly<Record<Lane, Queue>>>(
  facts: Channel & { readonly queues: Readonly<Record<Queue, string>>; readonly lanes: Lanes },
) => facts;

const channels = {
  http: channel({
    queues: {
      http: 'first attempts by http',
      mass: 'first attempts by http of events of large topics',
      slow: 'tasks by http for one receiver each: retries, and receivers that are slow or failing',
      httpConfirmations: 'requests to confirm by http, and their retries',
    },
    lanes: { first: 'http', mass: 'mass', later: 'slow', confirmations: 'httpConfirmations' },
    normaliseAddress: normaliseUrl,
    maskAddress: maskUrl,
    targetOf: (address) => ({ host: hostOfUrl(address) }),
    connectsTo: (address) => new URL(address),
    patienceMs: 1000,
    times: receiverTimes,
  }),
  email: channel({
    queues: {
      email: 'tasks due for delivery by e-mail',
      emailConfirmations: 'requests to confirm by e-mail, and their retries',
    },
    lanes: { first: 'email', mass: 'email', later: 'email', confirmations: 'emailConfirmations' },
    normaliseAddress: normaliseMailbox,
    maskAddress: maskMailbox,
    targetOf: (address) => ({ mailbox: foldMailbox(address) }),
    connectsTo: undefined,
    patienceMs: undefined,
    times: mailTimes,
  }),
} satisfies Readonly<Record<Protocol, Channel>>;

type Channels = typeof channels;

/** The queue of a protocol's lane: `slow` for `LaneQueue<'later', 'http'>`; without a protocol, those of all. */
export type LaneQueue<L extends Lane = Lane, P = keyof Channels> = Channels[P & keyof Channels]['lanes'][L];

/** The channel of a protocol. */
export const channelOf = (protocol: Protocol): Channel => channels[protocol];

/** The queue of a protocol's lane. */
export const laneOf = <P extends Protocol, L extends Lane>(protocol: P, lane: L): LaneQueue<L, P> =>
  channels[protocol].lanes[lane];

// More than 256 tasks: a copy can be given many at once, and small topics need not wait behind them.
const massBits = 9;

/** The queue of a task's lane: first attempts at several, whatever is tried alone, or requests to confirm. */
export const laneOfTask = (task: Pick<DeliveryTask, 'protocol' | 'content' | 'isSingle' | 'bits'>): LaneQueue =>
  task.isSingle ? ownLaneOf(task) : bucketLaneOf(task.protocol, task.bits);

/** The queue of a bucket's task, of an event that is cut by so many bits. */
export const bucketLaneOf = (protocol: Protocol, bits: number): LaneQueue<'first' | 'mass'> =>
  laneOf(protocol, bits >= massBits ? 'mass' : 'first');

/** The queue in which an own task is tried: requests to confirm stay in their lane. */
export const ownLaneOf = ({
  protocol,
  content,
}: Pick<DeliveryTask, 'protocol' | 'content'>): LaneQueue<'later' | 'confirmations'> =>
  laneOf(protocol, content.type === 'SubscriptionConfirmation' ? 'confirmations' : 'later');

/** The queues of a lane, whatever the protocol. */
export const queuesOf = <L extends Lane>(lane: L): readonly LaneQueue<L>[] => [
  ...new Set(Object.values(channels).map(({ lanes }): LaneQueue<L> => lanes[lane])),
];

/** What every channel's queue carries, by the queue's name. */
export const channelQueues: Readonly<Record<LaneQueue, string>> = Object.assign(
  {},
  ...Object.values(channels).map(({ queues }) => queues),
);

/** The channel of a queue; undefined for one that belongs to none. */
export const channelOfQueue = (queue: string): Channel | undefined =>
  Object.values(channels).find(({ queues }) => Object.hasOwn(queues, queue));
