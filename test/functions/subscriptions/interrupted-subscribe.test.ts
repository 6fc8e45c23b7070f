import { expect, it } from 'vitest';
import { handler as subscribe } from '../../../functions/subscriptions/subscribe.ts';
import { noon } from '../../harness/builders.ts';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import type { Call } from '../../harness/interference.ts';

const harness = useDeliveryHarness({ allowedNetworks: '127.0.0.0/8' });
const minuteMs = 60_000;

const ask = (topic: string, more: Record<string, string> = {}) =>
  harness.call(subscribe, {
    query: new URLSearchParams({ topic, address: 'http://127.0.0.1/events', ...more }).toString(),
    caller: 'ministry',
  });

/** Calls subscribe and stops it before the first AWS call that matches. */
async function stopsBefore(topic: string, isLast: (call: Call) => boolean): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  harness.interfere({
    call: (call, go) => {
      if (!isLast(call)) return go();
      stopped.resolve();
      return new Promise(() => {});
    },
  });
  void ask(topic);
  await stopped.promise;
  harness.interfere({});
}

const beforeMessage = ({ command }: Call) => command === 'SendMessage';
const tokens = () => harness.posts.flatMap(({ token }) => token ?? []);
const requests = async () => (await harness.rows('subscriptions')).flatMap((row) => Object.values(row.requests ?? {}));

it('if a subscribe request is interrupted, the sweeper sends the confirmation request within two minutes', async () => {
  const { uuid } = await harness.newTopic();
  await stopsBefore(uuid, beforeMessage);
  expect(await requests()).toHaveLength(1);
  await harness.live({ until: noon + 2 * minuteMs });
  expect(tokens()).toHaveLength(1);
  expect(await ask(uuid)).toMatchObject({ status: 200, json: { active: false } });
  await harness.live();
  expect(tokens()).toHaveLength(1);
});

it('repeating an interrupted subscribe request sends the confirmation request immediately, and the sweeper does not resend it', async () => {
  const { uuid } = await harness.newTopic();
  await stopsBefore(uuid, beforeMessage);
  expect((await ask(uuid)).status).toBe(200);
  await harness.work();
  expect(tokens()).toHaveLength(1);
  await harness.live();
  expect(tokens()).toHaveLength(1);
  expect(await requests()).toHaveLength(1);
});

it('the sweeper does not resend a confirmation request that has been in the queue for more than a minute', async () => {
  const { uuid } = await harness.newTopic();
  await ask(uuid);
  harness.moveTo(noon + minuteMs + 1);
  await harness.sweep();
  expect(harness.payloadsIn('http')).toHaveLength(1);
  await harness.live();
  expect(tokens()).toHaveLength(1);
});
