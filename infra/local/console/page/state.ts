export interface Attempt {
  /** RFC 3339. */
  readonly at: string;
  readonly messageId: string;
  readonly subscription: string;
  /** The number of the attempt, starting at 1. */
  readonly ordinal: number;
  readonly class: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly isConfirmation: boolean;
}

export interface Figures {
  /** RFC 3339. */
  readonly since: string;
  readonly published: number;
  readonly delivered: number;
  /** Deliveries that failed permanently, including deliveries that were redelivered later. */
  readonly failed: number;
}

export interface PublishedEvent {
  readonly messageId: string;
  readonly topicUuid: string;
  readonly generation: string;
  /** The topic's title or, without one, its name. */
  readonly topic: string;
  readonly subject?: string | undefined;
  /** RFC 3339. */
  readonly publishedAt: string;
  readonly delivered: number;
  readonly failedAttempts: number;
}

/** The first rows of a possibly longer list. */
export interface Part<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

export type SubscriptionState = 'active' | 'failing' | 'paused' | 'pending';

export interface ShownSubscription {
  readonly uuid: string;
  /** The topic's title or, without one, its name. */
  readonly topic: string;
  readonly protocol: string;
  readonly address: string;
  readonly state: SubscriptionState;
}

export interface QueueDepth {
  readonly name: string;
  readonly carries: string;
  readonly waiting: number;
  readonly inFlight: number;
  readonly delayed: number;
  readonly dead: number;
}

export interface ConsoleState {
  readonly figures: Figures;
  /** Newest first. `hasMore` is true if some topics were not read. */
  readonly events: Part<PublishedEvent>;
  readonly attempts: readonly Attempt[];
  readonly subscriptions: Part<ShownSubscription>;
  readonly queues: readonly QueueDepth[];
}

/** A page of the subscriptions to an event's topic, in no particular order. */
export interface Recipients {
  readonly uuids: readonly string[];
  /** The cursor of the next page; undefined on the last page. */
  readonly next?: string | undefined;
}
