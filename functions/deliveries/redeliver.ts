import { type RedeliveryChoice, redeliver } from '../../shared/contract/jobs.ts';
import { taskOf } from '../../shared/delivery/engine/sweep.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { subscriptionOf } from '../../shared/storage/deliveries/rows.ts';
import { emailQueue, slowQueue } from '../../shared/storage/queues/queues.ts';

const stores = [ledger, slowQueue, emailQueue] as const;

/** Makes failed deliveries again, each with its whole policy before it. */
export const handler = perform(redeliver, stores, async (choice, tools) => {
  const now = tools.now();
  const expiresAt = Math.floor(now / 1000) + tools.settings.ledgerDays * 24 * 3600;
  const counts = { redelivered: 0, expired: 0 };
  for await (const rows of tools.ledger.failed(searchOf(choice))) {
    for (const row of rows.filter(({ taskKey }) => isChosen(choice, taskKey))) {
      const message = await tools.ledger.message(row.messageId);
      if (message === undefined) counts.expired += 1;
      else if (await tools.ledger.reopen(row, now, expiresAt)) {
        await tools[row.protocol === 'http' ? 'slow' : 'email'].send({
          payload: taskOf(message, row, row.attempt + 1),
          group: subscriptionOf(row.taskKey),
        });
        counts.redelivered += 1;
      }
    }
  }
  return counts;
});

function searchOf(choice: RedeliveryChoice) {
  if ('since' in choice) return { since: Date.parse(choice.since) };
  return 'messageId' in choice ? { messageId: choice.messageId } : { subscription: choice.subscription };
}

const isChosen = (choice: RedeliveryChoice, taskKey: string): boolean =>
  !('messageId' in choice) || choice.subscription === undefined || choice.subscription === subscriptionOf(taskKey);
