import { type RedeliveryChoice, redeliver } from '../../shared/contract/jobs.ts';
import { internalErrorLogged } from '../../shared/contract/log-lines.ts';
import { reopenAndSend } from '../../shared/delivery/recovery/redeliver-one.ts';
import { subscriptionOf } from '../../shared/domain/deliveries/task.ts';
import { InternalError } from '../../shared/domain/internal-errors.ts';
import { dayMs, hourMs, isoTime } from '../../shared/domain/time.ts';
import { logError } from '../../shared/lambda/logger.ts';
import { perform } from '../../shared/lambda/perform.ts';
import type { OnRowError } from '../../shared/storage/deliveries/rows.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';

// The job stops after this many consecutive errors, because they indicate a general failure.
const mostFaultsInARow = 10;
// The job stops before Lambda's timeout of 300 s. The operator can then run the job again for the remaining rows.
const mostMs = 270_000;

/**
 * Redelivers failed and stuck deliveries, each with its full number of retries. Schedules new reconciliations of stuck
 * messages.
 */
export const handler = perform(redeliver, [deliveries, queues], async (choice, tools) => {
  const now = tools.now();
  const counts = { redelivered: 0, expired: 0 };
  let [faults, inARow] = [0, 0];
  // If a redelivered message fails again during the job, the query lists it again.
  const done = new Set<string>();
  const onError: OnRowError = (error, { messageId, taskKey }) => {
    faults += 1;
    inARow += 1;
    logError(internalErrorLogged, error, { job: redeliver.job, messageId, taskKey });
  };
  const stuck = 'messageId' in choice && !('subscription' in choice) ? [choice.messageId] : [];
  for await (const { rows, stuckMessages } of tools.deliveries.listFailed(searchOf(choice), onError)) {
    stuck.push(...stuckMessages);
    for (const row of rows.filter(({ taskKey }) => isChosen(choice, taskKey))) {
      const key = `${row.messageShard} ${row.taskKey}`;
      if (done.has(key)) continue;
      done.add(key);
      try {
        const message = await tools.deliveries.getMessage(row.messageId);
        if (message === undefined) counts.expired += 1;
        else if (await reopenAndSend(message, row, tools)) counts.redelivered += 1;
        inARow = 0;
      } catch (error) {
        onError(error, row);
      }
      if (inARow >= mostFaultsInARow) throw new InternalError('failingRows', { job: redeliver.job, ...counts, faults });
      if (tools.now() - now > mostMs) return { ...counts, faults, rest: 'out of time: run it again' };
    }
  }
  let reconciled = 0;
  // The rows that record who received a message expire after `deliveryDays`, and a reconciliation takes up to four
  // hours.
  const since = isoTime(now - tools.settings.deliveryDays * dayMs + 4 * hourMs);
  for (const messageId of stuck)
    reconciled += (await tools.deliveries.scheduleReconciliation(messageId, now, since)) ? 1 : 0;
  return { ...counts, ...(reconciled > 0 && { reconciled }), ...(faults > 0 && { faults }) };
});

function searchOf(choice: RedeliveryChoice) {
  if ('since' in choice) return { since: Date.parse(choice.since) };
  return 'messageId' in choice ? { messageId: choice.messageId } : { subscription: choice.subscription };
}

const isChosen = (choice: RedeliveryChoice, taskKey: string): boolean =>
  !('messageId' in choice) || choice.subscription === undefined || choice.subscription === subscriptionOf(taskKey);
