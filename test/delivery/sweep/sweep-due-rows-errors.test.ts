import { expect, it } from 'vitest';
import { type SweepTools, sweepDueRows } from '../../../shared/delivery/sweep/sweep-due-rows.ts';
import type { DueRow } from '../../../shared/storage/deliveries/row-schemas.ts';
import { noon } from '../../harness/builders.ts';

const aRow = (messageId: string): DueRow => ({
  ...{ messageShard: `${messageId}#0`, sweepShard: 'due#0' },
  ...{ messageId, taskKey: 'message', sweepAt: String(noon), state: undefined, attempt: 0 },
  ...{
    protocol: undefined,
    base: 0,
    isConfirmation: false,
    resumes: 0,
    wasPostponed: false,
    skippedProtocols: [],
    isStuck: false,
    failingSince: 0,
  },
});
const aMessage = (messageId: string) => ({ messageId, topicUuid: 'topic', publicationId: 'p', expiresAt: noon });

it('sweepDueRows reports a row that fails, then continues with the other rows and the next page', async () => {
  const faults: [unknown, string][] = [];
  const reconciled: string[] = [];
  const broken = new Error('this row cannot be read');
  const empty = async () => ({ waiting: 0, delayed: 0 });
  const sweeper = {
    deliveries: {
      async *listDue() {
        yield [aRow('one'), aRow('broken'), aRow('two')];
        yield [aRow('three')];
      },
      takeDue: async () => true,
      getMessage: async (messageId: string) => {
        if (messageId === 'broken') throw broken;
        return aMessage(messageId);
      },
    },
    queues: {
      fanOut: {
        send: async ({ payload }: { payload: { notification: { messageId: string } } }) =>
          void reconciled.push(payload.notification.messageId),
      },
    },
    backlog: { fanOut: empty, http: empty, mass: empty, email: empty },
    leastPerSecond: () => 1,
    now: () => noon,
    onOldest: () => {},
    onError: (error: unknown, { messageId }: { messageId: string }) => void faults.push([error, messageId]),
  } as unknown as SweepTools;
  expect(await sweepDueRows(sweeper)).toEqual({
    reconciled: 3,
    resumed: 0,
    asked: 0,
    ended: 0,
    postponed: 0,
    stuck: 0,
    visited: 0,
    notified: 0,
  });
  expect(reconciled).toEqual(['one', 'two', 'three']);
  // The message is read twice: when the sweeper reconciles it and when the sweeper queues its reconciliation.
  expect(faults).toEqual([
    [broken, 'broken'],
    [broken, 'broken'],
  ]);
});
