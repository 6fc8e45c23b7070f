import { describe, expect, it, vi } from 'vitest';
import { metricVariables } from '../../../shared/contract/metrics.ts';
import type { FanOutPayload } from '../../../shared/domain/deliveries/message.ts';
import { deliveries as deliveriesStore } from '../../../shared/storage/deliveries/store.ts';
import { useColdStarts } from '../../harness/cold-starts.ts';
import { readEmbedded } from '../../harness/embedded-metrics.ts';
import { useHarness } from '../../harness/harness.ts';
import { failing, losingResponse } from '../../harness/interference.ts';

const harness = useHarness();
const { newTopic, queues, lines } = harness;
const { start } = useColdStarts(harness);
const load = () => import('../../../functions/topics/publish-event.ts');
const payloads = () => harness.payloadsIn<FanOutPayload>('fanOut');
const deliveries = () => harness.rows('deliveries');
const body = '{"source":"CR","uin":"1"}';

/** Marks the fan-out of all messages as started. */
async function beginFanOut(): Promise<void> {
  const { fixShards } = deliveriesStore.permissions.fanOut(harness.dynamodb.client, harness.tables.deliveries);
  for (const { publicationId, notification } of payloads()) await fixShards(notification.messageId, publicationId, 0);
}

/** Creates a topic. Returns a function that publishes events to this topic. */
async function opened(given: Parameters<typeof start>[1] = {}) {
  const { uuid } = await newTopic();
  const publish = await start(load, given);
  return (event: Parameters<typeof publish>[0]) => publish({ path: { uuid }, ...event });
}

const withoutDeliveries = () => harness.interfere(failing('PutItem'));
const withoutQueue = () => ({ FAN_OUT_QUEUE_URL: `${queues.fanOut}-gone` });

it('publish writes the message to the queue and the deliveries table', async () => {
  const topic = await newTopic();
  const publish = await start(load);
  const { status, json } = await publish({ path: { uuid: topic.uuid }, query: 'subject=a', body });
  expect(status).toBe(200);
  const [payload] = payloads();
  expect(payload).toMatchObject({
    notification: { messageId: json.messageId, subject: 'a', generation: topic.generation },
  });
  expect(Buffer.from(payload?.notification.bodyBase64 ?? '', 'base64').toString()).toBe(body);
  expect(await deliveries()).toMatchObject([
    { ...payload?.notification, taskKey: 'message', publicationId: payload?.publicationId },
  ]);
});

it('publish rejects an event whose UIN the journal cannot store, and stores and sends nothing', async () => {
  const topic = await newTopic('liveBirth');
  const publish = await start(load);
  const { status, json } = await publish({
    path: { uuid: topic.uuid },
    body: '{"source":"CR","uin":"1","uin2":"\\ud800"}',
  });
  expect([status, json.code]).toEqual([400, 1007]);
  expect(json.message).toContain('uin2 must be well-formed Unicode');
  expect([await deliveries(), payloads()]).toEqual([[], []]);
});

it.each([
  ['the queue', 'queueMissed', () => ({ variables: withoutQueue() })],
  [
    'the deliveries table',
    'deliveryNotStored',
    () => {
      withoutDeliveries();
      return {};
    },
  ],
] as const)('publish logs an error with IDs but no body if writing to %s fails', async (_what, error, failing) => {
  const publish = await opened(failing());
  const { status, json } = await publish({ query: 'subject=Zanzibar', body });
  expect(status).toBe(200);
  expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([
    { message: 'failed', operation: 'publishEvent', error, messageId: json.messageId, taskKey: 'message' },
  ]);
  expect([payloads(), await deliveries()].map(({ length }) => length).toSorted()).toEqual([0, 1]);
  for (const secret of ['Zanzibar', 'source', Buffer.from(body).toString('base64')]) {
    expect(lines.error.join()).not.toContain(secret);
  }
});

it('publish returns an internal error when both writes fail', async () => {
  const publish = await opened({ variables: withoutQueue() });
  withoutDeliveries();
  expect((await publish({ body })).status).toBe(500);
  expect(lines.error).toHaveLength(1);
  const line = JSON.parse(lines.error[0] ?? '');
  expect(line).toMatchObject({ message: 'failed', error: 'keptNowhere', taskKey: 'message', status: 500 });
  expect(line).toMatchObject({ cause: expect.stringMatching(/^\w*QueueDoesNotExist, Error$/) });
});

describe('publish with an Idempotency-Key', () => {
  const keyed = { 'Idempotency-Key': 'k' };
  const long = 'x'.repeat(10_000);

  it('publish counts an event only once, even if the event is repeated before its fan-out begins', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const variables = { [metricVariables.namespace]: 'test', [metricVariables.function]: 'publishEvent' };
    const publish = await opened({ variables });
    const counts = [];
    for (const _ of [1, 2]) {
      await publish({ headers: keyed, body });
      const metrics = write.mock.calls.splice(0).flatMap(([text]) => readEmbedded(String(text)));
      counts.push(metrics.filter(({ name }) => name === 'EventsAccepted').length);
    }
    write.mockRestore();
    expect(counts).toEqual([1, 0]);
  });

  it('if the queue fails again for a repeated message, publish logs the failure and leaves the message to reconciliation', async () => {
    const publish = await opened({ variables: withoutQueue() });
    const call = () => publish({ headers: keyed, body });
    expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
    expect(lines.error.map((line) => JSON.parse(line).error)).toEqual(['queueMissed', 'queueMissed']);
  });

  it.each([
    ['another body', { query: 'subject=a', body: '{"source":"CR","uin":"2"}' }],
    ['another long body', { query: 'subject=a', body: long }],
    ['another subject', { query: 'subject=b', body }],
    ['no subject', { body }],
    ['its subject in the body', { body: `a${body}` }],
  ])('publish rejects a repeated key with %s, and stores and sends nothing', async (_what, other) => {
    const publish = await opened();
    const { json } = await publish({ query: 'subject=a', headers: keyed, body });
    await beginFanOut();
    const before = await deliveries();
    const refused = await publish({ headers: keyed, ...other });
    expect([refused.status, refused.json.code]).toEqual([400, 1014]);
    expect(refused.json.message).toMatch(/^idempotency-key .*another body or subject/);
    expect(payloads()).toMatchObject([{ notification: { messageId: json.messageId } }]);
    expect(await deliveries()).toEqual(before);
    // A repeated identical request returns the same message ID.
    expect((await publish({ query: 'subject=a', headers: keyed, body })).json).toEqual(json);
  });

  it('an Idempotency-Key applies to only one client and one topic', async () => {
    const publish = await start(load);
    const [one, other] = [await newTopic(), await newTopic()];
    const call = async (topic: { uuid: string }, caller?: string) =>
      (await publish({ path: { uuid: topic.uuid }, headers: keyed, body, ...(caller && { caller }) })).json.messageId;
    const ids = [await call(one), await call(other), await call(one, 'another-client')];
    expect(new Set(ids).size).toBe(3);
    expect(payloads()).toHaveLength(3);
  });

  it('publish accepts only one of two concurrent events that share a key but differ in content', async () => {
    const publish = await opened();
    const bodies = ['one', 'other', 'one', 'other'];
    const answers = await Promise.all(bodies.map((body) => publish({ headers: keyed, body })));
    const taken = Buffer.from(payloads()[0]?.notification.bodyBase64 ?? '', 'base64').toString();
    expect(answers.map(({ status }) => status)).toEqual(bodies.map((body) => (body === taken ? 200 : 400)));
    // Both accepted calls queued the same message.
    expect(payloads()).toHaveLength(2);
    expect(payloads()[1]).toEqual(payloads()[0]);
    expect(await deliveries()).toHaveLength(1);
  });

  it('publish sends the message even if the response to a write is lost', async () => {
    const publish = await opened();
    const { interference, lost } = losingResponse('PutItem');
    harness.interfere(interference);
    const { status, json } = await publish({ headers: keyed, body });
    expect([status, lost()]).toEqual([200, 1]);
    expect(payloads()).toMatchObject([{ notification: { messageId: json.messageId } }]);
  });
});
