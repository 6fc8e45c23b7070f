import { expect, it } from 'vitest';
import { mailQuota, quotaWaitSeconds, waitForQuota } from '../../../shared/delivery/email/email-sender.ts';
import { singleTask } from '../../../shared/domain/deliveries/task.ts';
import { aNotification, aSubscription, aTask, aTopic } from '../../harness/builders.ts';

const topic = aTopic();
const clerk = aSubscription(topic, { protocol: 'email', address: 'clerk@town.example' });
const several = aTask(aNotification(topic), [clerk]);
const own = singleTask(several, clerk.uuid, 3);

it('mailQuota reports an exhausted quota once, and again if SES still rejects emails after the wait', () => {
  let now = 0;
  let reports = 0;
  const quota = mailQuota(
    () => now,
    () => void reports++,
  );
  for (let mail = 0; mail < 3; mail++) quota.markSpent();
  expect([reports, quota.isSpent()]).toEqual([1, true]);
  now += quotaWaitSeconds * 1000;
  expect(quota.isSpent()).toBe(false);
  quota.markSpent();
  expect(reports).toBe(2);
});

it('waitForQuota returns tasks unchanged to their lane with a delay of 15 minutes', async () => {
  const sent: unknown[] = [];
  const results = await waitForQuota([several, own], { sendMany: async (all) => void sent.push(...all) });
  expect(sent).toEqual([
    { payload: several, group: topic.uuid, delaySeconds: 900 },
    { payload: own, group: clerk.uuid, delaySeconds: 900 },
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
});

it('waitForQuota fails tasks that it cannot return to their lanes', async () => {
  const results = await waitForQuota([several, own], { sendMany: () => Promise.reject(new Error('no queue')) });
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
