import { expect, it } from 'vitest';
import { type SweepTools, sweepOnce } from '../../../shared/delivery/engine/sweep.ts';
import type { DueRow } from '../../../shared/storage/deliveries/row-schemas.ts';
import { noon } from '../../harness/builders.ts';

const aRow = (messageId: string): DueRow => ({
  ...{ messageSlice: `${messageId}#0`, sweepShard: 'due#0' },
  ...{ messageId, taskKey: 'message', sweepAt: String(noon), state: undefined, attempt: 0 },
  ...{ protocol: undefined, base: 0, isConfirmation: false, resumes: 0, isPutOff: false, leftOut: [], isStuck: false },
});
const aMessage = (messageId: string) => ({ messageId, topicUuid: 'topic', publicationId: 'p', expiresAt: noon });

it('a row that fails is told of, and neither its neighbours nor the next page wait for it', async () => {
  const faults: [unknown, string][] = [];
  const audited: string[] = [];
  const broken = new Error('this row cannot be read');
  const empty = async () => ({ waiting: 0, delayed: 0 });
  const sweeper = {
    ledger: {
      async *due() {
        yield [aRow('one'), aRow('broken'), aRow('two')];
        yield [aRow('three')];
      },
      take: async () => true,
      message: async (messageId: string) => {
        if (messageId === 'broken') throw broken;
        return aMessage(messageId);
      },
    },
    queues: {
      fanOut: {
        send: async ({ payload }: { payload: { notification: { messageId: string } } }) =>
          void audited.push(payload.notification.messageId),
      },
    },
    backlog: { fanOut: empty, http: empty, mass: empty, email: empty },
    leastPerSecond: () => 1,
    now: () => noon,
    onOldest: () => {},
    onFault: (error: unknown, { messageId }: { messageId: string }) => void faults.push([error, messageId]),
  } as unknown as SweepTools;
  expect(await sweepOnce(sweeper)).toEqual({ audited: 3, resumed: 0, asked: 0, ended: 0, putOff: 0, stuck: 0 });
  expect(audited).toEqual(['one', 'two', 'three']);
  // It could neither be settled at once nor audited.
  expect(faults).toEqual([
    [broken, 'broken'],
    [broken, 'broken'],
  ]);
});
