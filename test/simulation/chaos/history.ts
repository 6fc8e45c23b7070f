import type { PauseReason } from '../../../shared/domain/subscriptions/subscription.ts';
import type { Outcome } from '../../../shared/model/deliveries/outcome.ts';
import type { Copy, Ending, Invocation } from '../lambda/platform.ts';

/** A run of a function, and what struck it. Times are true ones, epoch milliseconds. */
export interface Run {
  readonly id: number;
  readonly name: string;
  readonly startedAt: number;
  endedAt: number | undefined;
  ending: Ending['is'] | undefined;
  /** Ids of the queue's messages that it was given. */
  readonly messages: readonly string[];
  /** Faults that the simulation put in its way. */
  readonly strikes: { readonly at: number; readonly what: string }[];
  /** Faults of ours that it logged. */
  readonly logged: string[];
}

/** A message that reached a receiver. */
export interface Post {
  readonly messageId: string;
  readonly uuid: string;
  readonly type: 'Notification' | 'SubscriptionConfirmation';
  readonly body: string;
  readonly at: number;
  readonly run: Run | undefined;
  /** The receiver took it, whatever we heard of that. */
  isAccepted: boolean;
  /** What we heard, and when. */
  outcome: Outcome | undefined;
  endedAt: number | undefined;
}

/** A call of publish that was answered 200. */
export interface Publication {
  readonly messageId: string;
  readonly body: string;
  readonly at: number;
  /** The ledger took it, not only the queue. */
  readonly isInLedger: boolean;
}

/** What a row of a subscription said from a time on; undefined where there was none. */
export interface Version {
  readonly at: number;
  readonly row: SubscriptionFacts | undefined;
  /** The client whose call made it so; undefined where it was none's. */
  readonly by: string | undefined;
}

/** What was stored of a subscription. */
export interface SubscriptionFacts {
  readonly generation: string;
  readonly createdAt: number;
  readonly confirmedAt: number | undefined;
  readonly isActive: boolean;
  readonly countdownSeconds: number;
  readonly maxRetries: number;
  readonly subjects: readonly string[];
  readonly pausedReason: PauseReason | undefined;
  readonly owner: string;
  readonly requests: Readonly<Record<string, { readonly caller: string; readonly confirmedAt?: number }>>;
}

/** What a message's own row in the ledger says of it. */
export interface MessageFacts {
  readonly topicName: string;
  readonly subject: string | undefined;
  readonly generation: string;
  /** Epoch milliseconds, by the clock of whoever published. */
  readonly timestamp: number;
}

/** Everything that happened, as nobody within the service can know it. */
export class History {
  readonly runs = new Map<number, Run>();
  readonly posts: Post[] = [];
  readonly publications: Publication[] = [];
  readonly subscriptions = new Map<string, Version[]>();
  readonly messages = new Map<string, MessageFacts>();
  readonly reports: { readonly messageId: string; readonly uuid: string; readonly run: Run | undefined }[] = [];
  /** The subscriptions that a test event was asked for. */
  readonly tested = new Set<string>();
  /** When an operator had what failed made again, and what purged which queue. */
  readonly redeliveries: number[] = [];
  /** What a subscriber had made again: one message, or everything that was missing from `since` to `until` (`isAccepted`: answered 202). */
  readonly again: { readonly uuid: string; readonly messageId: string; readonly at: number }[] = [];
  readonly recoveries: {
    readonly uuid: string;
    readonly at: number;
    readonly since: number;
    readonly until: number;
    readonly isAccepted: boolean;
  }[] = [];
  /** Calls of subscribe that were answered 200, and when they began. */
  readonly subscribed: { readonly uuid: string; readonly from: number; readonly to: number }[] = [];
  readonly purges: { readonly at: number; readonly queue: string }[] = [];

  begin({ id, facts, startedAt, event }: Invocation): void {
    const records = (event as { Records?: { messageId: string }[] } | undefined)?.Records ?? [];
    const messages = records.map(({ messageId }) => messageId);
    const [strikes, logged, rest] = [[], [], { endedAt: undefined, ending: undefined }];
    this.runs.set(id, { id, name: facts.name, startedAt, messages, strikes, logged, ...rest });
  }

  end({ id, endedAt }: Invocation, ending: Ending): void {
    const run = this.runs.get(id);
    if (run === undefined) return;
    run.endedAt = endedAt;
    run.ending = ending.is;
  }

  runOf(copy: Copy | undefined): Run | undefined {
    return copy?.invocation === undefined ? undefined : this.runs.get(copy.invocation.id);
  }

  note(uuid: string, version: Version): void {
    const versions = this.subscriptions.get(uuid);
    if (versions === undefined) this.subscriptions.set(uuid, [version]);
    else versions.push(version);
  }

  /** Whether a row of a subscription was like this at some time from `from` to `to`. */
  was(uuid: string, from: number, to: number, isLike: (row: SubscriptionFacts) => boolean): boolean {
    const versions = this.subscriptions.get(uuid) ?? [];
    return versions.some(({ at, row }, index) => {
      const until = versions[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      return row !== undefined && at <= to && until >= from && isLike(row);
    });
  }

  /** Whether a row of a subscription was like this all the time since `from`. */
  isSince(uuid: string, from: number, isLike: (row: SubscriptionFacts) => boolean): boolean {
    const versions = this.subscriptions.get(uuid) ?? [];
    return versions.every(({ row }, index) => {
      const until = versions[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      return until < from || (row !== undefined && isLike(row));
    });
  }

  /** Since when it has been active without a break, in the same life; undefined when it is not active now. */
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

/** A run that was struck at or after a time, or did not end by itself: what it did may not have been recorded. */
export const wasStruck = (run: Run | undefined, since = Number.NEGATIVE_INFINITY): boolean =>
  run === undefined ||
  (run.ending !== 'answered' && run.ending !== 'failed') ||
  run.strikes.some(({ at }) => at >= since);
