import { type RedeliveryChoice, redeliver } from '../../shared/contract/jobs.ts';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { reopenAndSend } from '../../shared/delivery/redelivery/deliver-again.ts';
import { subscriptionOf } from '../../shared/domain/deliveries/task-key.ts';
import { logFault } from '../../shared/lambda/logger.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { Fault } from '../../shared/model/faults.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import type { OnRowFault } from '../../shared/storage/deliveries/rows.ts';
import { queues } from '../../shared/storage/queues/store.ts';

// Of so many faults in a row the reason lies with no single row: the run ends, and says so.
const mostFaultsInARow = 10;
// The function is stopped after 300 s; what is left is for the next run.
const mostMs = 270_000;

/** Makes failed and stuck deliveries again, each with its whole policy before it, and has stuck publications audited anew. */
export const handler = perform(redeliver, [ledger, queues], async (choice, tools) => {
  const now = tools.now();
  const counts = { redelivered: 0, expired: 0 };
  let [faults, inARow] = [0, 0];
  const onFault: OnRowFault = (error, { messageId, taskKey }) => {
    faults += 1;
    inARow += 1;
    logFault(faultLogged, error, { job: redeliver.job, messageId, taskKey });
  };
  for await (const rows of tools.ledger.failed(searchOf(choice), onFault)) {
    for (const row of rows.filter(({ taskKey }) => isChosen(choice, taskKey))) {
      try {
        const message = await tools.ledger.message(row.messageId);
        if (message === undefined) counts.expired += 1;
        else if (await reopenAndSend(message, row, tools)) counts.redelivered += 1;
        inARow = 0;
      } catch (error) {
        onFault(error, row);
      }
      if (inARow >= mostFaultsInARow) throw new Fault('failingRows', { job: redeliver.job, ...counts, faults });
      if (tools.now() - now > mostMs) return { ...counts, faults, rest: 'out of time: run it again' };
    }
  }
  let audited = 0;
  if (!('subscription' in choice)) {
    for await (const messageIds of tools.ledger.stuckMessages(auditsOf(choice))) {
      for (const messageId of messageIds) audited += (await tools.ledger.reaudit(messageId, now)) ? 1 : 0;
    }
  }
  return { ...counts, ...(audited > 0 && { audited }), ...(faults > 0 && { faults }) };
});

const auditsOf = (choice: { messageId: string } | { since: string }) =>
  'since' in choice ? { since: Date.parse(choice.since) } : { messageId: choice.messageId };

function searchOf(choice: RedeliveryChoice) {
  if ('since' in choice) return { since: Date.parse(choice.since) };
  return 'messageId' in choice ? { messageId: choice.messageId } : { subscription: choice.subscription };
}

const isChosen = (choice: RedeliveryChoice, taskKey: string): boolean =>
  !('messageId' in choice) || choice.subscription === undefined || choice.subscription === subscriptionOf(taskKey);
