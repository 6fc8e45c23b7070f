import { describe, expect, it } from 'vitest';
import { handler as confirmByPage } from '../../../functions/pages/confirm-by-page.ts';
import { handler as subscribe } from '../../../functions/subscriptions/subscribe.ts';
import { handler as createTopic } from '../../../functions/topics/create-topic.ts';
import { handler as deleteTopic } from '../../../functions/topics/delete-topic.ts';
import { noon } from '../../harness/builders.ts';
import { apiEvent, context } from '../../harness/lambda-events.ts';
import { useOwnership } from '../../harness/ownership-harness.ts';

const harness = useOwnership('shared', { allowedNetworks: '127.0.0.0/8' });

const byPage = async (token: string) =>
  (await confirmByPage(apiEvent({ method: 'POST', query: `token=${token}` }), context)).statusCode;
const byClient = async (token: string) => (await harness.confirm('owner', token)).status;

/** Creates an unconfirmed subscription, and deletes its topic without running the clean-up. Returns the token. */
async function outlived() {
  const one = await harness.owned({ isActive: false, confirmedAt: undefined });
  await harness.ask('owner', one);
  await harness.work();
  await harness.call(deleteTopic, { path: { uuid: one.topicUuid } });
  return { token: harness.tokens(one.uuid).at(-1) ?? '' };
}

describe.each([
  ['a client', byClient],
  ['the page', byPage],
])('a confirmation by %s after the topic has been deleted', (_who, confirm) => {
  it.each([false, true])('confirming deletes the subscription, even if the topic exists again: %s', async (isAgain) => {
    const { token } = await outlived();
    if (isAgain) await harness.newTopic('CR');
    for (const _ of [1, 2]) expect(await confirm(token)).toBe(400);
    expect(await harness.rows('subscriptions')).toEqual([]);
  });
});

it('the clean-up after 15 minutes deletes a subscription that was missing from the index during earlier clean-ups', async () => {
  const { json: topic } = await harness.call(createTopic, { query: 'name=CR' });
  const query = new URLSearchParams({ topic: topic.uuid, address: 'http://127.0.0.1/' }).toString();
  expect((await harness.call(subscribe, { query, caller: 'owner' })).status).toBe(200);
  harness.pass(1000);
  await harness.call(deleteTopic, { path: { uuid: topic.uuid } });
  const isHidden = () => harness.now() < noon + 14 * 60_000;
  harness.interfere({
    async call(call, go) {
      const done = await go();
      if (call.input.IndexName !== 'byTopic' || !isHidden()) return done;
      return { ...done, output: { ...(done as { output: object }).output, Items: [] } };
    },
  });
  await harness.live({ until: noon + 14 * 60_000 });
  expect(await harness.rows('subscriptions')).toHaveLength(1);
  await harness.live();
  expect(await harness.rows('subscriptions')).toEqual([]);
});
