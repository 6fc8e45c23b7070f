import { describe, expect, test } from 'vitest';
import { confirmSubscription, listSubscriptions } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { accept, confirmationIn, type Respond, startReceiver, status } from '../harness/receiver.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { call, newTopic, subscribeTo, publish, attemptsAt } = world;
leavesNoErrors(world);

async function newPending(policy = '1,3', answering: Respond = accept) {
  const topic = await newTopic();
  const receiver = await startReceiver(answering);
  const subscription = await subscribeTo(topic, receiver.url, { policy });
  const { token, messageId } = confirmationIn(await receiver.arrival('SubscriptionConfirmation'));
  return { topic, receiver, subscription, token, messageId };
}

const confirm = (...token: string[]) => call(confirmSubscription, { query: { token } });
const refusal = [400, expect.stringContaining('token')];
const changed = (text: string, index: number): string =>
  text.slice(0, index) + (text.charAt(index) === 'A' ? 'B' : 'A') + text.slice(index + 1);

describe.concurrent('a confirmation', () => {
  test('a confirmation request is retried according to its policy, with the same token, until it arrives', async () => {
    const { receiver, subscription, token, messageId } = await newPending('1,3', status(500));
    const watching = attemptsAt(messageId, subscription.uuid);
    receiver.answer(accept);
    const attempts = await watching;
    const asked = receiver.of('SubscriptionConfirmation');
    expect(asked.map((one) => confirmationIn(one).token)).toEqual([token, token]);
    expect(attempts.map(({ next }) => next)).toEqual(['retry', 'none']);
    expect(asked[1]?.at).toBeGreaterThanOrEqual(Number(attempts[0]?.at) + 1000);
    expect((await confirm(token)).json).toEqual({ ...subscription, active: true });
  });

  test('a confirmation request that has failed permanently is sent again with a new token when the client subscribes again', async () => {
    const first = await newPending('1,1', status(500));
    await subscribeTo(first.topic, first.receiver.url, { policy: '1,1' });
    await attemptsAt(first.messageId, first.subscription.uuid);
    expect(first.receiver.received).toHaveLength(2);

    first.receiver.answer(accept);
    const again = await subscribeTo(first.topic, first.receiver.url, { policy: '1,1' });
    expect(again).toEqual(first.subscription);
    const second = confirmationIn(await first.receiver.arrival('SubscriptionConfirmation', 3));
    expect(second.token).not.toBe(first.token);
    expect((await confirm(second.token)).json).toEqual({ ...first.subscription, active: true });
    // The first token remains valid.
    expect((await confirm(first.token)).status).toBe(200);
  });

  test('a confirmation with an expired token confirms nothing, and subscribing again sends a new token', async () => {
    const { topic, receiver, subscription, token } = await newPending();
    await world.aws.expireTokens(subscription.uuid);
    const late = await confirm(token);
    expect([late.status, late.error.message]).toEqual(refusal);
    await subscribeTo(topic, receiver.url);
    const second = confirmationIn(await receiver.arrival('SubscriptionConfirmation', 2));
    expect((await confirm(second.token)).json.active).toBe(true);
  });

  test('a confirmation request is not sent again after the subscriber has confirmed', async () => {
    const { topic, receiver, subscription, token } = await newPending('1,-1', status(500));
    await confirm(token);
    const messageId = await publish(topic, 'x');
    await receiver.arrival('Notification', 3);
    expect(receiver.of('SubscriptionConfirmation').length).toBeLessThanOrEqual(2);
    receiver.answer(accept);
    await attemptsAt(messageId, subscription.uuid);
  });

  test('a subscriber may confirm twice', async () => {
    const { subscription, token } = await newPending();
    const active = { ...subscription, active: true };
    expect((await confirm(token)).json).toEqual(active);
    expect((await confirm(token)).json).toEqual(active);
    expect((await confirm(token, token)).json).toEqual(active);
    expect((await call(listSubscriptions)).json).toContainEqual(active);
  });

  test('a confirmation with an altered token confirms nothing', async () => {
    const { topic, subscription, token, receiver } = await newPending();
    const other = await newPending();
    const [, secret] = token.split('.');
    const [owner] = other.token.split('.');
    const altered = [changed(token, 3), changed(token, 40), changed(token, token.length - 1), token.slice(0, -1)];
    for (const wrong of [...altered, `${token}A`, `${owner}.${secret}`, 'token', '', `${token}\n`]) {
      const answer = await confirm(wrong);
      expect([answer.status, answer.error.message], wrong).toEqual(refusal);
      expect(answer.text).not.toContain(secret);
    }
    const both = await confirm(token, other.token);
    expect([both.status, both.error.message]).toEqual(refusal);
    expect((await call(listSubscriptions)).json).toContainEqual(subscription);
    // Subscribers receive no event before they confirm.
    const witness = await world.newSubscriber(topic);
    await attemptsAt(await publish(topic, 'x'), witness.subscription.uuid);
    expect(receiver.of('Notification')).toEqual([]);
  });
});
