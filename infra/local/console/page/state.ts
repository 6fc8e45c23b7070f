import type { SubscriptionStatus } from '../../../../shared/domain/subscriptions/show-subscription.ts';

export type AttemptKind = 'event' | 'confirmation' | 'test';

export interface Attempt {
  /** The start time of the attempt, in RFC 3339 format. */
  readonly at: string;
  readonly messageId: string;
  readonly subscription: string;
  /** The subscriber's address; undefined if the subscription has ended. */
  readonly address?: string | undefined;
  /** The number of the attempt, starting at 1. */
  readonly ordinal: number;
  readonly class: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly kind: AttemptKind;
}

export interface Figure {
  readonly name: string;
  readonly count: number;
  /** True if a count above zero requires attention. */
  readonly isBad?: boolean;
}

export interface Figures {
  readonly counts: readonly Figure[];
  /** A text that describes the counts. The page shows the time in `since` (RFC 3339) after the text. */
  readonly note: string;
  readonly since?: string;
}

export interface PublishedEvent {
  readonly messageId: string;
  readonly topicUuid: string;
  readonly generation: string;
  /** The topic's title, or its name if it has no title. */
  readonly topic: string;
  readonly subject?: string | undefined;
  /** RFC 3339. */
  readonly publishedAt: string;
  readonly delivered: number;
  readonly failedAttempts: number;
  /** The only recipient of the event, if the event is a test event. */
  readonly testOf?: Pick<ShownSubscription, 'uuid' | 'address'>;
}

/** The number of events and the latency in one period. */
export interface ChartPoint {
  /** The start of the period, in RFC 3339 format. */
  readonly at: string;
  readonly events: number;
  /** The median time from publishing to delivery; undefined if nothing was delivered in the period. */
  readonly latencyMs?: number | undefined;
}

export interface Chart {
  readonly periodMs: number;
  readonly points: readonly ChartPoint[];
}

/** The first rows of a list, and whether the list has more rows. */
export interface Part<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

export interface ShownTopic {
  readonly uuid: string;
  /** The topic's title, or its name if it has no title. */
  readonly topic: string;
}

export interface ShownSubscription {
  readonly uuid: string;
  /** The topic's title, or its name if it has no title. */
  readonly topic: string;
  readonly protocol: string;
  readonly address: string;
  /** The state of the subscription; `unknown` until the state has been read. */
  readonly state: SubscriptionStatus['state'] | 'unknown';
  readonly reason?: SubscriptionStatus['stateReason'];
}

export interface QueueDepth {
  readonly name: string;
  readonly carries: string;
  readonly waiting: number;
  readonly inFlight: number;
  readonly delayed: number;
  readonly dead: number;
}

export interface ShownImport {
  readonly file: string;
  /** The time of the upload, in RFC 3339 format. */
  readonly at: string;
  readonly state: 'waiting' | 'checking' | 'applying' | 'ended';
  /** From 0 to 1. */
  readonly progress: number;
  readonly lines: number;
  readonly applied: number;
  readonly rejected: number;
  /** The reason why the import file could not be read. */
  readonly problem?: string | undefined;
}

export interface HealthLine {
  readonly name: string;
  readonly text: string;
  readonly isGood: boolean;
}

export interface ShownAlarm {
  readonly name: string;
  /** The heading of the alarm's section in the runbook. */
  readonly title: string;
  /**
   * The part of the registry that the alarm monitors. If the alarm monitors no particular part, the text describes who
   * is affected.
   */
  readonly about: string;
  readonly state: 'ALARM' | 'INSUFFICIENT_DATA' | 'OK';
  /** The time of the latest state change, in RFC 3339 format. */
  readonly since: string;
}

/** The state of the deployment, which only operators can read. */
export interface OperatorState {
  /** The alarms. Alarms in state ALARM come first. The list is empty for a local stack, because it has no alarms. */
  readonly alarms: readonly ShownAlarm[];
  readonly health: readonly HealthLine[];
  readonly queues: readonly QueueDepth[];
  readonly imports: readonly ShownImport[];
}

/** The state that clients of the registry can read. */
export interface ClientState {
  readonly figures: Figures;
  readonly chart: Chart;
  readonly topics: readonly ShownTopic[];
  /** The events, newest first. The `hasMore` field is true if there may be more events. */
  readonly events: Part<PublishedEvent>;
  readonly attempts: readonly Attempt[];
  readonly subscriptions: Part<ShownSubscription>;
}

export interface About {
  readonly name: string;
  /** The URL of the console's own receiver, which confirms its subscriptions; undefined unless the stack is local. */
  readonly receiver?: string | undefined;
  /** Whether the console also has the tools for a local stack. */
  readonly hasTools: boolean;
  readonly links: Readonly<Record<string, string>>;
}

export interface ConsoleState extends ClientState {
  readonly about: About;
  /**
   * The state that only operators can read, or the reason why it cannot be read; undefined if the console does not use
   * AWS.
   */
  readonly operator?: OperatorState | { readonly problem: string } | undefined;
}

export interface RecipientsRequest {
  readonly topicUuid: string;
  readonly generation: string;
  readonly after: string | undefined;
}

/** One page of the subscriptions to the topic of an event, in no particular order. */
export interface Recipients {
  readonly uuids: readonly string[];
  /** The cursor of the next page; undefined on the last page. */
  readonly next?: string | undefined;
}

/**
 * A source of data for the console: either the tables and the log of a local stack, or the public API of any registry.
 */
export interface Source {
  readonly read: () => Promise<ClientState>;
  readonly recipients: (request: RecipientsRequest) => Promise<Recipients>;
  /** Called after each request that may have changed the state. */
  readonly onChanged: () => void;
}
