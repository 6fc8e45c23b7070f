/** One attempt to deliver, as the functions log it. */
export interface Attempt {
  /** RFC 3339. */
  readonly at: string;
  readonly messageId: string;
  readonly subscription: string;
  /** 1 is the first. */
  readonly ordinal: number;
  readonly class: string;
  readonly status?: number | undefined;
  readonly durationMs?: number | undefined;
  /** It asked an address to confirm. */
  readonly isConfirmation: boolean;
}

/** What was counted since the stack was started. */
export interface Figures {
  /** RFC 3339. */
  readonly since: string;
  readonly published: number;
  readonly delivered: number;
  /** For good, or until they are made again. */
  readonly failed: number;
}

/** A published message, never with its body. */
export interface PublishedEvent {
  readonly messageId: string;
  readonly topicUuid: string;
  readonly generation: string;
  readonly topicName: string;
  readonly subject?: string | undefined;
  /** RFC 3339. */
  readonly publishedAt: string;
  /** Attempts since the stack was started. */
  readonly delivered: number;
  readonly failedTries: number;
}

/** A part of a list that may be longer. */
export interface Part<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

export type SubscriptionState = 'active' | 'failing' | 'paused' | 'pending';

export interface ShownSubscription {
  readonly uuid: string;
  readonly topicName: string;
  readonly protocol: string;
  readonly address: string;
  readonly state: SubscriptionState;
}

export interface QueueDepth {
  readonly name: string;
  /** What it carries. */
  readonly carries: string;
  readonly waiting: number;
  readonly inFlight: number;
  readonly delayed: number;
  readonly dead: number;
}

/** Everything that the page shows without being asked. */
export interface ConsoleState {
  readonly figures: Figures;
  /** The newest first. `hasMore`: there are topics whose events are not looked at. */
  readonly events: Part<PublishedEvent>;
  /** The newest first. */
  readonly attempts: readonly Attempt[];
  readonly subscriptions: Part<ShownSubscription>;
  readonly queues: readonly QueueDepth[];
}

/** The subscriptions of an event's topic: a page of their uuids, in no order that means something. */
export interface Recipients {
  readonly uuids: readonly string[];
  /** Where the next page begins; undefined at the end. */
  readonly next?: string | undefined;
}
