import type { Outcome } from '../../../shared/domain/deliveries/outcome.ts';
import type { DeliveryFormat, PauseReason, StatusNotice } from '../../../shared/domain/subscriptions/subscription.ts';
import type { Ending, Instance, Invocation } from '../lambda/platform.ts';
import type { Violation } from './evidence.ts';

/** SQS delays a message for at most 15 minutes, so a longer wait needs several messages and runs. */
export const hopMs = 900_000;

/** A function run and the faults that were injected into it. All times are simulated times in epoch milliseconds. */
export interface Run {
  readonly id: number;
  readonly name: string;
  readonly startedAt: number;
  readonly timeoutMs: number;
  endedAt: number | undefined;
  ending: Ending['is'] | undefined;
  /** The ids of the queue messages in the event that started the run. */
  readonly messages: readonly string[];
  /** The ids of the published messages in the event that started the run. */
  readonly about: readonly string[];
  /**
   * The ids of the recovery steps in the event that started the run. An empty string represents a step without an id.
   */
  readonly steps: readonly string[];
  readonly faults: { readonly at: number; readonly what: string }[];
  /** Whether a queue reported the rejection of a batch entry to the run. */
  hasRefusals?: boolean;
  /** The internal errors that the run logged. */
  readonly logged: string[];
}

/** A delivery attempt that reached a receiver. */
export interface Post {
  readonly messageId: string;
  readonly uuid: string;
  readonly type: 'Notification' | 'SubscriptionConfirmation';
  /** The event, without the Message object around it. */
  readonly body: string;
  /** Undefined for emails and confirmation requests, which have only one format. */
  readonly format: DeliveryFormat | undefined;
  readonly at: number;
  readonly run: Run | undefined;
  /** Whether a parked message was sent as a probe. Probes do not count as retries. */
  readonly isProbe: boolean;
  /** Whether the receiver accepted the message. The sender may record a different outcome. */
  isAccepted: boolean;
  /** Whether the receiver could verify the signature. */
  readonly isVerified: boolean;
  /** The outcome that the sender recorded. */
  outcome: Outcome | undefined;
  endedAt: number | undefined;
}

/** A publish request that returned status 200. */
export interface Publication {
  readonly messageId: string;
  readonly body: string;
  readonly at: number;
  /** True if the message was in the deliveries table when publish returned, false if it was only in the queue. */
  readonly isStored: boolean;
}

/**
 * A version of a subscription's row, which is valid from `at`. The row is undefined if the subscription did not exist.
 */
export interface Version {
  readonly at: number;
  readonly row: SubscriptionFacts | undefined;
  /** The client whose request changed the row, or undefined if no client changed it. */
  readonly by: string | undefined;
}

export interface SubscriptionFacts {
  readonly topicUuid?: string;
  readonly notified?: StatusNotice;
  readonly lastDeliveredAt?: number;
  readonly generation: string;
  readonly createdAt: number;
  readonly confirmedAt: number | undefined;
  readonly isActive: boolean;
  readonly countdownSeconds: number;
  readonly maxRetries: number;
  readonly subjects: readonly string[];
  readonly deliveryFormat?: DeliveryFormat | null;
  readonly pausedReason: PauseReason | undefined;
  readonly isFailing?: boolean;
  readonly failingSince?: number;
  readonly owner: string;
  readonly requests: Readonly<
    Record<
      string,
      Pick<SubscriptionFacts, 'deliveryFormat'> & { readonly caller: string; readonly confirmedAt?: number }
    >
  >;
}

export interface MessageFacts {
  readonly topicName: string;
  readonly subject: string | undefined;
  readonly generation: string;
  /** The publication time in epoch milliseconds, according to the clock of the publishing function. */
  readonly timestamp: number;
  readonly shardBits: number;
}

const messageIds = /"messageId":"([^"]+)"/g;

const stepsIn = (body: string): string[] =>
  body.startsWith('{"recoveryOf"') ? [/"stepId":"([^"]+)"/.exec(body)?.[1] ?? ''] : [];

/** Returns the ids of the published messages in the body of a queue message. */
export const idsIn = (body: string): string[] => [...body.matchAll(messageIds)].map(([, id = '']) => id);

/** Records everything that happened in a simulation, including facts that the service cannot know. */
export class History {
  readonly runs = new Map<number, Run>();
  readonly posts: Post[] = [];
  readonly publications: Publication[] = [];
  readonly subscriptions = new Map<string, Version[]>();
  readonly messages = new Map<string, MessageFacts>();
  readonly reports: {
    readonly messageId: string;
    readonly uuid: string;
    readonly run: Run | undefined;
    readonly at: number;
  }[] = [];
  /** The UUIDs of the subscriptions for which a test event was requested. */
  readonly tested = new Set<string>();
  /** The start and end times of redeliveries that operators requested. */
  readonly redeliveries: number[] = [];
  /** Requests from clients to redeliver one message. */
  readonly clientRedeliveries: {
    readonly uuid: string;
    readonly messageId: string;
    readonly at: number;
    endedAt: number;
  }[] = [];
  readonly recoveries: {
    readonly uuid: string;
    readonly at: number;
    readonly since: number;
    readonly until: number;
    readonly isAccepted: boolean;
  }[] = [];
  /** Subscribe requests that returned status 200, with their start and end times. */
  readonly subscribed: { readonly uuid: string; readonly from: number; readonly to: number }[] = [];
  /** Counts entries sent to queues, writes to the deliveries table, and waits of the full 15 minutes in a queue. */
  readonly work = { sent: 0, written: 0, hops: 0 };
  readonly purges: { readonly at: number; readonly queue: string }[] = [];
  /** Queue messages that were delivered late, with the ids of the published messages that they contain. */
  readonly delays: { readonly at: number; readonly about: readonly string[] }[] = [];
  /** The violations found by the checks that run after each table change. */
  readonly violations: Violation[] = [];
  /** The times at which deliveries were parked, probed or released, keyed by delivery. */
  readonly parkings = new Map<string, number[]>();
  /** The times at which the sweeper resumed rows, keyed by row. */
  readonly resumedAt = new Map<string, number[]>();

  begin({ id, facts, startedAt, event }: Invocation): void {
    const records = (event as { Records?: { messageId: string; body?: string }[] } | undefined)?.Records ?? [];
    const messages = records.map(({ messageId }) => messageId);
    const about = records.flatMap(({ body = '' }) => idsIn(body));
    const steps = records.flatMap(({ body = '' }) => stepsIn(body));
    const [faults, logged, rest] = [[], [], { endedAt: undefined, ending: undefined }];
    const timing = { startedAt, timeoutMs: facts.timeoutMs };
    this.runs.set(id, { id, name: facts.name, ...timing, messages, about, steps, faults, logged, ...rest });
  }

  end({ id, endedAt }: Invocation, ending: Ending): void {
    const run = this.runs.get(id);
    if (run === undefined) return;
    run.endedAt = endedAt;
    run.ending = ending.is;
  }

  runOf(instance: Instance | undefined): Run | undefined {
    return instance?.invocation === undefined ? undefined : this.runs.get(instance.invocation.id);
  }

  recordVersion(uuid: string, version: Version): void {
    const versions = this.subscriptions.get(uuid);
    if (versions === undefined) this.subscriptions.set(uuid, [version]);
    else versions.push(version);
  }

  /** Returns whether the row of a subscription met a condition at some time between `from` and `to`. */
  was(uuid: string, from: number, to: number, isLike: (row: SubscriptionFacts) => boolean): boolean {
    const versions = this.subscriptions.get(uuid) ?? [];
    return versions.some(({ at, row }, index) => {
      const until = versions[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      return row !== undefined && at <= to && until >= from && isLike(row);
    });
  }

  /** Returns whether the row of a subscription has met a condition ever since `from`. */
  isSince(uuid: string, from: number, isLike: (row: SubscriptionFacts) => boolean): boolean {
    const versions = this.subscriptions.get(uuid) ?? [];
    return versions.every(({ row }, index) => {
      const until = versions[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      return until < from || (row !== undefined && isLike(row));
    });
  }

  /** Returns a subscription's row and the start of its active period, or undefined if the subscription is inactive. */
  activeSince(uuid: string): { since: number; row: SubscriptionFacts } | undefined {
    const versions = this.subscriptions.get(uuid) ?? [];
    const last = versions.at(-1);
    if (last?.row === undefined || !last.row.isActive) return undefined;
    let since = last.at;
    for (const { at, row } of versions.toReversed()) {
      if (row === undefined || !row.isActive || row.createdAt !== last.row.createdAt) break;
      since = at;
    }
    return { since, row: last.row };
  }
}

/**
 * Returns whether the run ended abnormally, or whether a fault was injected into the run at or after `since`. A run
 * that ended abnormally or was hit by a fault may not have recorded its results.
 */
export const wasHit = (run: Run | undefined, since = Number.NEGATIVE_INFINITY): boolean =>
  run === undefined ||
  (run.ending !== 'returned' && run.ending !== 'failed') ||
  run.faults.some(({ at }) => at >= since);
