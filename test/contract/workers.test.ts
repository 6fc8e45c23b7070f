import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queues } from '../../shared/contract/queue-names.ts';
import { settings } from '../../shared/contract/settings.ts';
import { fanOut, workerLanes, workers } from '../../shared/contract/workers.ts';
import { carriedNotification } from '../../shared/domain/deliveries/message.ts';
import { receiverTimes } from '../../shared/domain/deliveries/times.ts';
import { aBucketEvent } from '../harness/bucket-event.ts';
import { aConfirmation, aNotification, aSubscription, aTask, aTopic, noon } from '../harness/builders.ts';
import { aBounce } from '../harness/mail-feedback.ts';

const topic = aTopic({ name: 'CR' });
const task = aTask(aNotification(topic), [aSubscription(topic)]);
const payloads: Readonly<Record<(typeof workers)[number]['worker'], unknown>> = {
  fanOut: { publicationId: 'j', notification: carriedNotification.parse(aNotification(topic)) },
  deliverByHttp: task,
  deliverByEmail: { ...task, protocol: 'email' },
  requestConfirmationByEmail: aTask(aConfirmation(aSubscription(topic)), [aSubscription(topic)]),
  readMailFeedback: aBounce(),
  wait: { notBefore: noon, task },
  importChanges: { file: { key: 'imports/people.ndjson', eTag: '"e"', bytes: 9 }, sha256: 'ab' },
  removeSubscriptions: { topicUuid: topic.uuid, before: 'b' },
  fillIndexes: { run: 'r' },
  linkDocuments: aBucketEvent('documents/1/marriage/2/deed.pdf'),
};

describe('the workers', () => {
  it('the workers read every queue, and each queue belongs to exactly one worker lane', () => {
    expect(workerLanes.map(({ queue }) => queue).toSorted()).toEqual(Object.keys(queues).toSorted());
  });

  it.each(workers)(
    'every worker accepts its payload as JSON, but rejects an empty payload: $worker',
    ({ worker, payload }) => {
      expect(payload.parse(JSON.parse(JSON.stringify(payloads[worker])))).toEqual(payload.parse(payloads[worker]));
      expect(payload.safeParse({}).success).toBe(false);
    },
  );

  it.each(workerLanes)(
    'every lane reads existing settings and describes the impact of a failure in one sentence: $lane',
    ({ reads, impact }) => {
      expect(reads.filter((name) => !(name in settings))).toEqual([]);
      expect(impact).toMatch(/^[A-Z].*\.$/);
    },
  );
});

it('a fan-out payload can name a segment of a topic or request a reconciliation', () => {
  const whole = { publicationId: 'j', notification: carriedNotification.parse(aNotification(topic)) };
  for (const payload of [
    { ...whole, segment: { shardBits: 3, from: 2, to: 8 } },
    { ...whole, isReconciliation: true },
  ]) {
    expect(fanOut.payload.parse(JSON.parse(JSON.stringify(payload)))).toEqual(payload);
  }
});

it('the time limits increase in this order: attempt, function, lease, visibility timeout of the queue', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (seconds) => {
      const times = receiverTimes({ receiverTimeoutSeconds: seconds });
      expect(times.functionSeconds).toBeGreaterThan(seconds);
      expect(times.leaseSeconds).toBeGreaterThan(times.functionSeconds);
      expect(times.visibilitySeconds).toBeGreaterThan(times.leaseSeconds);
      expect(times.functionSeconds).toBeLessThanOrEqual(900);
    }),
  );
});
