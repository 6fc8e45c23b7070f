import { foldMailbox, maskMailbox, normaliseMailbox } from '../subscriptions/mailbox-address.ts';
import type { Protocol } from '../subscriptions/subscription.ts';
import { hostOfUrl, maskUrl, normaliseUrl } from '../subscriptions/url-address.ts';
import { mailTimes } from './mail-pace.ts';
import type { DeliveryTask } from './task.ts';
import { type DeliveryTimes, receiverTimes, type TimingSettings } from './times.ts';

export type Lane =
  /** First attempts for small topics. */
  | 'first'
  /** First attempts for large topics. */
  | 'mass'
  /** Retries and other single deliveries of events. */
  | 'later'
  /**
   * Confirmation requests. Their receivers have not agreed to get messages, so these requests must not delay events.
   */
  | 'confirmations';

/**
 * A channel contains the properties that differ between protocols. `shared/delivery/README.md` lists the files that a
 * new channel needs.
 */
export interface Channel {
  readonly queues: Readonly<Record<string, string>>;
  /** The queue for each lane. Lanes may share a queue. */
  readonly lanes: Readonly<Record<Lane, string>>;
  /**
   * Returns the normal form of a trimmed address.
   * @throws ClientError `invalidParameter`, with a message that names `address`
   */
  readonly normaliseAddress: (address: string) => string;
  readonly maskAddress: (address: string) => string;
  readonly targetOf: (address: string) => { readonly host: string } | { readonly mailbox: string };
  /** Returns the URL to connect to; undefined if an external service, such as SES, delivers the message. */
  readonly connectsTo: ((address: string) => URL) | undefined;
  /**
   * The maximum response time in milliseconds. Receivers that take longer get single deliveries. Undefined if an
   * external service delivers the message.
   */
  readonly patienceMs: number | undefined;
  readonly times: (settings: TimingSettings) => DeliveryTimes;
}

const channel = <const Queue extends string, const Lanes extends Readonly<Record<Lane, Queue>>>(
  facts: Channel & { readonly queues: Readonly<Record<Queue, string>>; readonly lanes: Lanes },
) => facts;

const channels = {
  http: channel({
    queues: {
      http: 'first attempts over http',
      mass: 'first HTTP attempts for events in large topics',
      slow: 'single deliveries over http: retries, and deliveries to slow or failing receivers',
      httpConfirmations: 'confirmation requests over http, and their retries',
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
      email: 'deliveries by email',
      emailConfirmations: 'confirmation requests by email, and their retries',
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

/**
 * The name of a lane's queue, such as `slow` for `LaneQueue<'later', 'http'>`. If no protocol is given, the type
 * contains the lane's queues for all protocols.
 */
export type LaneQueue<L extends Lane = Lane, P = keyof Channels> = Channels[P & keyof Channels]['lanes'][L];

export const channelOf = (protocol: Protocol): Channel => channels[protocol];

export const laneOf = <P extends Protocol, L extends Lane>(protocol: P, lane: L): LaneQueue<L, P> =>
  channels[protocol].lanes[lane];

// Messages with at least 512 shards use the `mass` lane, so that they do not delay messages of small topics.
const massBits = 9;

export const batchLaneOf = (protocol: Protocol, shardBits: number): LaneQueue<'first' | 'mass'> =>
  laneOf(protocol, shardBits >= massBits ? 'mass' : 'first');

export function laneOfTask(task: Pick<DeliveryTask, 'protocol' | 'content' | 'isSingle' | 'shardBits'>): LaneQueue {
  const { protocol, content, isSingle, shardBits } = task;
  if (!isSingle) return batchLaneOf(protocol, shardBits);
  return laneOf(protocol, content.type === 'SubscriptionConfirmation' ? 'confirmations' : 'later');
}

/** Returns a lane's queues for all protocols. */
export const queuesOf = <L extends Lane>(lane: L): readonly LaneQueue<L>[] => [
  ...new Set(Object.values(channels).map(({ lanes }): LaneQueue<L> => lanes[lane])),
];

export const channelQueues: Readonly<Record<LaneQueue, string>> = Object.assign(
  {},
  ...Object.values(channels).map(({ queues }) => queues),
);

export const channelOfQueue = (queue: string): Channel | undefined =>
  Object.values(channels).find(({ queues }) => Object.hasOwn(queues, queue));
