import type { QueueName } from '../../../shared/contract/queue-names.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../../shared/domain/topics/topic.ts';
import type { DeliveryHarness } from '../../harness/delivery-harness.ts';
import { type ChooseOutcome, rejects } from '../../harness/fake-sender.ts';
import type { Interference } from '../../harness/interference.ts';

/** Work during which a fault occurs. If the caller receives no response, it calls `repeat`. */
export interface Work {
  run(): Promise<unknown>;
  repeat?(): Promise<unknown>;
}

/** A test case: the subscriptions, the responses of the receivers, and the steps before the fault occurs. */
export interface Scenario {
  readonly subscriptions: Partial<StoredSubscription>[];
  readonly answering?: (people: readonly StoredSubscription[]) => ChooseOutcome;
  readonly prepare: (topic: StoredTopic, people: readonly StoredSubscription[]) => Promise<Work>;
  /** True if the scenario sends a new subscriber a confirmation request instead of a message. */
  readonly isConfirmation?: true;
  /** The index in `subscriptions` of a subscription that never accepts the message. */
  readonly unreached?: number;
}

export type Scenarios = Readonly<Record<string, Scenario>>;

/** A fault that occurs at most once in a process. */
export interface Fault {
  readonly interference: Interference;
  readonly hasStruck: () => boolean;
  /** Resolves when the fault has stopped the process. */
  readonly death?: Promise<void>;
}

/** Rejects the first attempt to deliver each message and accepts all later attempts. */
export const firstFails: ChooseOutcome = (post, tries) => (tries === 0 ? rejects(post, tries) : { class: 'delivered' });

/** Returns work that processes one batch of messages from a queue. */
export const batchOf = (harness: DeliveryHarness, name: QueueName): Work => ({ run: () => harness.workOnce(name) });

/** Makes the first delivery attempts and then advances the clock until their retries are due. */
export async function untilRetriesAreDue(harness: DeliveryHarness): Promise<void> {
  await harness.work('fanOut', 'http');
  harness.pass(76_000);
  await harness.work('retry');
}
