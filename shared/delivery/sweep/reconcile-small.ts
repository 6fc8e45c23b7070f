import { type ActiveSubscription, rowShardCount, uuidRange, wholeTopic } from '../../domain/deliveries/shards.ts';
import { isGivenUp, timeOfInvocation, withinInvocation } from '../../lambda/time-left.ts';
import type { DueRow } from '../../storage/deliveries/row-schemas.ts';
import { findOpenTasks, recipientsOf } from '../fan-out/send-tasks.ts';
import type { SweepTools } from './sweep-tools.ts';

// One sweeper serves all topics, so it reconciles only small topics. Fan-out reconciles larger topics.
const mostSubscriptions = 100;
// A throttled topic must not delay other topics.
const patienceMs = 2000;

/**
 * Completes a message of a small topic if no delivery is missing. The check takes three reads and one write. Returns
 * false if a task is open or missing, or if a request fails. Also returns false if the topic has at least
 * `mostSubscriptions` active subscriptions, or if the message has several row shards. In these cases, the caller starts
 * a reconciliation by fan-out, and counts it as a resume. Every error except a timeout is reported.
 */
export async function reconcileSmall(row: DueRow, tools: SweepTools): Promise<boolean> {
  const leftMs = timeOfInvocation();
  const until = tools.now() + patienceMs;
  return withinInvocation(
    () => Math.min(leftMs(), until - tools.now()),
    () => reconcile(row, tools),
  ).catch((error: unknown) => {
    if (!isGivenUp(error)) tools.onError(error, row);
    return false;
  });
}

async function reconcile({ messageId }: DueRow, tools: SweepTools): Promise<boolean> {
  const message = await tools.deliveries.getMessage(messageId);
  if (message?.shardBits === undefined || rowShardCount(message.shardBits) > 1) return false;
  const active: ActiveSubscription[] = [];
  // Any DynamoDB page may be short, not only the last page.
  for await (const page of tools.subscriptions.listActive(message, uuidRange(wholeTopic(0)), mostSubscriptions)) {
    active.push(...page);
    if (active.length >= mostSubscriptions) return false;
  }
  const { missing, workedOn } = await findOpenTasks(messageId, message.shardBits, recipientsOf(message, active), tools);
  if (missing.length + workedOn > 0) return false;
  await tools.deliveries.completeMessage(messageId);
  return true;
}
