import { expect, it } from 'vitest';
import { mailQuota, quotaWaitSeconds, waitForQuota } from '../../../shared/delivery/email/mail-quota.ts';
import { ownTask } from '../../../shared/domain/deliveries/own-task.ts';
import { aNotification, aSubscription, aTask, aTopic } from '../../harness/builders.ts';

const topic = aTopic();
const clerk = aSubscription(topic, { protocol: 'email', address: 'clerk@town.example' });
const several = aTask(aNotification(topic), [clerk]);
const own = ownTask(several, clerk.uuid, 3);

it('tells once of mails that are spent, and again when they still are at the next try', () => {
  let now = 0;
  let told = 0;
  const quota = mailQuota(
    () => now,
    () => void told++,
  );
  for (let mail = 0; mail < 3; mail++) quota.spend();
  expect([told, quota.isSpent()]).toEqual([1, true]);
  now += quotaWaitSeconds * 1000;
  expect(quota.isSpent()).toBe(false);
  quota.spend();
  expect(told).toBe(2);
});

it('puts tasks back as they came, to be shown in a quarter of an hour', async () => {
  const sent: unknown[] = [];
  const results = await waitForQuota([several, own], { sendMany: async (all) => void sent.push(...all) });
  expect(sent).toEqual([
    { payload: several, group: topic.uuid, delaySeconds: 900 },
    { payload: own, group: clerk.uuid, delaySeconds: 900 },
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
});

it('leaves them where they are when the lane does not take them back', async () => {
  const results = await waitForQuota([several, own], { sendMany: () => Promise.reject(new Error('no queue')) });
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
