import { beforeEach, describe, expect, it } from 'vitest';
import { handler as change } from '../../../functions/subscriptions/change-subscription.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../../shared/domain/topics/topic.ts';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import { accepts, rejects } from '../../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const { call, live } = harness;
let calls: string[];
let topic: StoredTopic;
let one: StoredSubscription;
beforeEach(async () => {
  topic = await harness.newTopic('CR');
  [one] = await harness.subscribed(topic, { subjects: ['death'] });
  calls = harness.recordCalls();
});

const patch = (body: unknown, uuid = one.uuid) => call(change, { path: { uuid }, body: JSON.stringify(body) });

it.each([
  [{ policy: '5,5' }, { policy: '5,5', subjects: ['death'] }],
  [{ policy: null }, { policy: '3600,168', subjects: ['death'] }],
  [{ subjects: ['liveBirth', 'death'] }, { policy: '60,2', subjects: ['death', 'liveBirth'] }],
  [{ subjects: null }, { policy: '60,2', subjects: undefined }],
  [
    { policy: 'max=1', subjects: ['x'] },
    { policy: '3600,1', subjects: ['x'] },
  ],
  [{ deliveryFormat: 'envelope' }, { policy: '60,2', subjects: ['death'] }],
])('PATCH %j changes only the named fields, with one read and one write', async (body, shown) => {
  const { status, json } = await patch(body);
  expect([status, json.policy, json.subjects, json.active]).toEqual([200, shown.policy, shown.subjects, true]);
  expect(calls).toEqual(['GetItem', 'UpdateItem']);
  const stored = await harness.subscription(one.uuid);
  expect(stored).toEqual({
    ...one,
    subjects: shown.subjects ?? [],
    ...('subjects' in body && { filteredSince: harness.now() }),
    ...('deliveryFormat' in body && body),
    countdownSeconds: stored.countdownSeconds,
    maxRetries: stored.maxRetries,
  });
});

it('PATCH with an empty body writes nothing', async () => {
  expect(await patch({})).toMatchObject({ status: 200, json: { policy: '60,2', subjects: ['death'] } });
  expect(calls).toEqual(['GetItem']);
});

it.each([
  [{ address: 'http://x.example' }, 'body may contain only policy, subjects and deliveryFormat'],
  [{ deliveryFormat: 'xml' }, 'body.deliveryFormat must be raw or envelope; null restores the default'],
  [{ policy: '0,0' }, 'body.policy must be countdown,max'],
  [{ policy: 5 }, 'body.policy must be a string'],
  [{ subjects: [] }, 'body.subjects must have at least one entry; null removes the filter'],
  [{ subjects: 'death' }, 'body.subjects must be a list'],
  [{ subjects: ['livebirth'] }, 'body.subjects.0 is close to an event type'],
  [[], 'body must be a JSON object'],
])('PATCH rejects %j without calling AWS', async (body, message) => {
  const { status, json } = await patch(body);
  expect([status, json.code]).toEqual([400, 1003]);
  expect(json.message).toContain(message);
  expect(calls).toEqual([]);
});

it('PATCH rejects a delivery format for an email subscription, but accepts null', async () => {
  const [mail] = await harness.subscribed(await harness.newTopic(), { protocol: 'email', address: 'a@example.org' });
  const change = (deliveryFormat: unknown) => patch({ deliveryFormat }, mail?.uuid);
  const { status, json } = await change('raw');
  expect([status, json.code]).toEqual([400, 1003]);
  expect(json.message).toContain('body.deliveryFormat applies only to http subscriptions');
  expect((await change(null)).status).toBe(200);
});

it.each([
  ['is not confirmed yet', {}],
  ['is paused (gone)', { pausedReason: 'gone' as const }],
])('PATCH returns 409 for a subscription that %s', async (why, given) => {
  const [other] = await harness.subscribed(topic, { isActive: false, ...given });
  const { status, json } = await patch({ policy: '1,0' }, other?.uuid);
  expect([status, json.code]).toEqual([409, 1409]);
  expect(json.message).toContain(why);
  expect(await harness.subscription(other?.uuid ?? '')).toEqual(other);
});

describe('concurrent changes', () => {
  it('two concurrent changes to different fields are both kept', async () => {
    await Promise.all([patch({ policy: '7,7' }), patch({ subjects: ['x'] })]);
    expect(await harness.subscription(one.uuid)).toMatchObject({ countdownSeconds: 7, maxRetries: 7, subjects: ['x'] });
  });

  it.each([
    ['a pause', { ...{ isActive: false, pausedReason: 'gone' as const } }, 409],
    ['a new generation', { generation: 'another' }, 200],
  ])('PATCH detects %s between its read and its write', async (_what, given, status) => {
    let isFirst = true;
    harness.interfere({
      async call({ command }, go) {
        if (command === 'UpdateItem' && isFirst) {
          isFirst = false;
          await harness.subscribed(topic, { ...one, ...given });
        }
        return go();
      },
    });
    expect((await patch({ policy: '7,7' })).status).toBe(status);
    const stored = await harness.subscription(one.uuid);
    expect(stored.countdownSeconds).toBe(status === 200 ? 7 : 60);
  });
});

it('a delivery format that PATCH has changed applies from the next attempt', async () => {
  harness.answer((_, attempt) => (attempt === 0 ? rejects : accepts)({} as never, 0));
  await harness.publish('CR', '{"source":"CR","uin":"1"}', {}, 'subject=death');
  await live({ until: harness.now() + 1000 });
  await patch({ deliveryFormat: 'envelope' });
  await live();
  const bodies = harness.posts.map(({ body }) => JSON.parse(body));
  const message = { type: 'Notification', topic: 'CR', subject: 'death', message: '{"source":"CR","uin":"1"}' };
  expect(bodies).toMatchObject([{ source: 'CR', uin: '1' }, message]);
});
