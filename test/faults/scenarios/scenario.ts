import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../../shared/model/topics/topic.ts';
import type { Answering } from '../../harness/fake-sender.ts';
import type { Interference } from '../../harness/interference.ts';

/** Work that something happens to, and what whoever waits for its answer does when none comes. */
export interface Work {
  run(): Promise<unknown>;
  again?(): Promise<unknown>;
}

/** A way that a message goes, up to the work that something happens to. */
export interface Scenario {
  readonly who: Partial<StoredSubscription>[];
  readonly answering?: (people: readonly StoredSubscription[]) => Answering;
  readonly lead: (topic: StoredTopic, people: readonly StoredSubscription[]) => Promise<Work>;
  /** It is the request to confirm that is on its way, to one who subscribes. */
  readonly isConfirmation?: true;
  /** The subscription, by its place in `who`, that is not reached in the end. */
  readonly unreached?: number;
}

export type Scenarios = Readonly<Record<string, Scenario>>;

/** Something that happens once, or never, to what a process does. */
export interface Fault {
  readonly interference: Interference;
  readonly hasStruck: () => boolean;
  /** Resolves when the process has died of it. */
  readonly death?: Promise<void>;
}
