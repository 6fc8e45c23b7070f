import { confirmationTask } from '../../domain/subscriptions/confirmation-task.ts';
import { composeToken, hashToken, tokenLifetimeMs } from '../../domain/subscriptions/subscription-token.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { FanOutPayload } from '../../model/deliveries/fan-out-payload.ts';
import type { Protocol } from '../../model/subscriptions/subscription.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import { auditMs, graceMs, type MessageRow, subscriptionOf } from '../../storage/deliveries/rows.ts';
import type { DueRow } from '../../storage/deliveries/sweep.ts';
import type { Sending } from '../../storage/queues/queues.ts';
import type { subscriptions } from '../../storage/subscriptions/subscriptions.ts';
import { contentOf, refer } from './fan-out-segment.ts';

interface Queue<Payload> {
  send(sending: Sending<Payload>): Promise<void>;
}

/** What the sweeper needs. */
export interface Sweeper {
  readonly ledger: ReturnType<typeof ledger.permissions.sweep>;
  readonly subscriptions: ReturnType<typeof subscriptions.permissions.sweep>;
  readonly fanOut: Queue<FanOutPayload>;
  readonly http: Queue<DeliveryTask>;
  readonly email: Queue<DeliveryTask>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** The task of a subscription's own row, for its next attempt. */
export const taskOf = (
  message: MessageRow,
  row: { taskKey: string; protocol: Protocol },
  attempt: number,
): DeliveryTask => {
  const { publicationId: _, bits: __, expiresAt: ___, ...notification } = message;
  return {
    taskKey: row.taskKey,
    protocol: row.protocol,
    isSingle: true,
    attempt,
    subscriptionUuids: [subscriptionOf(row.taskKey)],
    content: contentOf(notification),
  };
};

/** A publication is audited: every subscription of its topic must have its outcome. */
async function audit(row: DueRow, { ledger, fanOut }: Sweeper): Promise<'audited' | 'ended'> {
  const message = await ledger.message(row.messageId);
  if (message === undefined) return 'ended';
  const { publicationId, bits: _, expiresAt: __, ...notification } = message;
  await fanOut.send({
    payload: { publicationId, notification: refer(notification), isAudit: true },
    group: notification.topicUuid,
  });
  return 'audited';
}

/** A confirmation whose timer was lost: its token is stored nowhere, so the address is sent another. */
async function askAgain(row: DueRow, tools: Sweeper): Promise<'ended' | 'asked'> {
  const { subscriptions, now, newId, randomBytes } = tools;
  const stored = await subscriptions.get(subscriptionOf(row.taskKey));
  const isPending = stored !== undefined && !stored.isActive && stored.tokenExpiresAt > now();
  const token = composeToken(subscriptionOf(row.taskKey), randomBytes(32));
  const isAsked = isPending && (await subscriptions.renewToken(stored, hashToken(token), now() + tokenLifetimeMs));
  if (isAsked) {
    const task = confirmationTask(stored, token, newId(), now());
    await tools[stored.protocol].send({ payload: task, group: stored.uuid });
    await tools.ledger.openSingle(task, now(), Math.floor((now() + tokenLifetimeMs) / 1000));
  }
  // At last: where we die before it, the row stays due and the address is asked once more.
  await tools.ledger.end(row);
  return isAsked ? 'asked' : 'ended';
}

/** A retry whose timer was lost, or an attempt whose worker died and whose task the queue lost. */
async function resume(row: DueRow & { protocol: Protocol }, tools: Sweeper): Promise<'resumed' | 'asked' | 'ended'> {
  const message = await tools.ledger.message(row.messageId);
  if (row.isConfirmation) return askAgain(row, tools);
  if (message === undefined) {
    await tools.ledger.end(row);
    return 'ended';
  }
  const attempt = row.state === 'claimed' ? row.attempt : row.attempt + 1;
  const group = subscriptionOf(row.taskKey);
  await tools[row.protocol].send({ payload: taskOf(message, { ...row, protocol: row.protocol }, attempt), group });
  return 'resumed';
}

type Done = 'audited' | 'resumed' | 'asked' | 'ended';

/** Undefined where another run took the row. */
async function sweepRow(row: DueRow, tools: Sweeper): Promise<Done | undefined> {
  const { protocol } = row;
  const isTaken = await tools.ledger.take(row, tools.now(), protocol === undefined ? auditMs : graceMs);
  if (!isTaken) return undefined;
  return protocol === undefined ? audit(row, tools) : resume({ ...row, protocol }, tools);
}

// Rows worked on side by side.
const width = 25;
// What is not reached by then is the next run's: the function must not be stopped in the middle.
const mostMs = 45_000;

/**
 * Looks at every row whose time has come and gone, and makes again what the queues should have had: retries, attempts,
 * confirmations, and the audit of each publication. Made twice they do no harm. Answers how many of each.
 */
export async function sweepOnce(tools: Sweeper): Promise<Record<Done, number>> {
  const counts = { audited: 0, resumed: 0, asked: 0, ended: 0 };
  const until = tools.now() + mostMs;
  for await (const page of tools.ledger.due(tools.now())) {
    // What was promised to somebody goes before what is only looked after.
    const rows = page.toSorted((a, b) => Number(a.protocol === undefined) - Number(b.protocol === undefined));
    for (let from = 0; from < rows.length; from += width) {
      const done = await Promise.all(rows.slice(from, from + width).map((row) => sweepRow(row, tools)));
      for (const one of done) if (one !== undefined) counts[one] += 1;
      if (tools.now() > until) return counts;
    }
  }
  return counts;
}
