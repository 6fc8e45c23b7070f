import type { QueueName } from '../../../shared/contract/queues.ts';
import type { DeliveryHarness } from '../../harness/delivery-harness.ts';
import { type Answering, refuses } from '../../harness/fake-sender.ts';
import type { Work } from './scenario.ts';

/** The first attempt at each message fails. */
export const firstFails: Answering = (post, tries) => (tries === 0 ? refuses(post, tries) : { class: 'delivered' });

/** A batch of a queue, as the work that something happens to. */
export const batchOf = (harness: DeliveryHarness, name: QueueName): Work => ({ run: () => harness.workOnce(name) });

/** The first attempt at what was asked for is made, and its retry is due. */
export async function toRetry(harness: DeliveryHarness): Promise<void> {
  await harness.work('fanOut', 'http');
  harness.pass(76_000);
  await harness.work('retry');
}
