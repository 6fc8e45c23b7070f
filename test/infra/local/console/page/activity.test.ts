import { expect, it } from 'vitest';
import { type Activity, createActivity } from '../../../../../infra/local/console/page/activity.ts';
import { publishEvent } from '../../../../../shared/contract/endpoints/topics-endpoints.ts';
import { deliveryAttempted, deliveryFailed } from '../../../../../shared/contract/log-lines.ts';

const at = new Date('2026-11-20T08:00:00Z');
const { method, path } = publishEvent;
const publishing = { kind: 'request', method, path, milliseconds: 1, requestId: 'r' } as const;

const logged = (message: object, functionName = 'deliverByHttp') =>
  ({ kind: 'log', functionName, line: JSON.stringify({ level: 'DEBUG', message }) }) as const;
const outcome = { at: '2026-11-20T07:59:45.000Z', attempt: 0, class: 'delivered' };
const attempt = (fields: object) =>
  logged({ message: deliveryAttempted, messageId: 'm', subscription: 's', ...outcome, ...fields });

/** Returns the numbers of published, delivered and failed messages. */
const countsOf = ({ figures }: Activity) => figures().counts.map(({ count }) => count);

it('activity counts the messages that were published, delivered or failed since the start', () => {
  const activity = createActivity(() => at);
  activity.record({ ...publishing, status: 200 });
  activity.record({ ...publishing, status: 400 });
  activity.record({ ...publishing, path: '/v1/topics', status: 200 });
  activity.record(attempt({ status: 200 }));
  activity.record(attempt({ class: 'timeout' }));
  activity.record(logged({ message: deliveryFailed, messageId: 'm' }));
  for (const line of ['hello', '{"message":null}']) activity.record({ kind: 'log', functionName: 'x', line });
  expect(activity.figures().since).toBe(at.toISOString());
  expect(countsOf(activity)).toEqual([1, 1, 1]);
  expect(activity.tallyOf('m')).toEqual({ delivered: 1, failedAttempts: 1 });
  expect(activity.tallyOf('another')).toEqual({ delivered: 0, failedAttempts: 0 });
});

it('activity returns the latest 50 attempts with their times, newest first, and marks confirmation requests', () => {
  const activity = createActivity(() => at);
  for (let ordinal = 1; ordinal <= 60; ordinal++) {
    activity.record(attempt({ attempt: ordinal - 1, class: 'http', status: 500, milliseconds: 7 }));
  }
  activity.record(attempt({ at: '2026-11-20T07:59:30.000Z', attempt: 60, class: 'http' }));
  activity.record({ ...attempt({ status: 200 }), functionName: 'requestConfirmationByHttp' });
  const [confirmation, newest, ...others] = activity.attempts();
  expect(confirmation).toMatchObject({ class: 'delivered', kind: 'confirmation' });
  expect(newest).toEqual({
    ...{ at: outcome.at, messageId: 'm', subscription: 's', ordinal: 60 },
    ...{ class: 'http', status: 500, durationMs: 7, kind: 'event' },
  });
  expect(others).toHaveLength(48);
  expect(countsOf(activity)).toEqual([0, 0, 0]);
});

it('activity discards the counts of a message once it has counted 1,000 later messages', () => {
  const activity = createActivity(() => at);
  for (let index = 0; index <= 1000; index++) activity.record(attempt({ messageId: `m${index}` }));
  expect(activity.tallyOf('m0').delivered).toBe(0);
  expect(activity.tallyOf('m1').delivered).toBe(1);
  expect(countsOf(activity)).toEqual([0, 1001, 0]);
});
