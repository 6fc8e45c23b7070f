import { describe, expect, it } from 'vitest';
import type { FanOutPayload } from '../../../shared/model/deliveries/fan-out-payload.ts';
import { ledger as ledgerStore } from '../../../shared/storage/deliveries/ledger.ts';
import { useColdStarts } from '../../harness/cold-starts.ts';
import { useHarness } from '../../harness/harness.ts';
import { refusing } from '../../harness/interference.ts';

const harness = useHarness();
const { newTopic, queues, lines } = harness;
const { start } = useColdStarts(harness);
const load = () => import('../../../functions/topics/publish-event.ts');
const payloads = () => harness.payloadsIn<FanOutPayload>('fanOut');
const ledger = () => harness.rows('deliveries');
const body = '{"source":"CR","uin":"1"}';

/** Fan-out has begun with all that was published. */
async function beginFanOut(): Promise<void> {
  const { partition } = ledgerStore.permissions.fanOut(harness.dynamodb.client, harness.tables.deliveries);
  for (const { publicationId, notification } of payloads()) await partition(notification.messageId, publicationId, 0);
}

const withoutLedger = () => harness.interfere(refusing('PutItem'));
const withoutQueue = () => ({ FAN_OUT_QUEUE_URL: `${queues.fanOut}-gone` });

it('writes the message to the queue and to the ledger, the same', async () => {
  const topic = await newTopic();
  const publish = await start(load);
  const { status, json } = await publish({ path: { uuid: topic.uuid }, query: 'subject=a', body });
  expect(status).toBe(200);
  const [payload] = payloads();
  expect(payload).toMatchObject({
    notification: { messageId: json.messageId, subject: 'a', generation: topic.generation },
  });
  expect(Buffer.from(payload?.notification.bodyBase64 ?? '', 'base64').toString()).toBe(body);
  expect(await ledger()).toMatchObject([
    { ...payload?.notification, taskKey: 'message', publicationId: payload?.publicationId },
  ]);
});

it('is done with the queue alone', async () => {
  const topic = await newTopic();
  const publish = await start(load);
  withoutLedger();
  const { status, json } = await publish({ path: { uuid: topic.uuid }, body });
  expect(status).toBe(200);
  expect(await ledger()).toEqual([]);
  expect(payloads()).toMatchObject([{ notification: { messageId: json.messageId } }]);
});

it('is done with the ledger alone, where the sweeper finds it', async () => {
  const topic = await newTopic();
  const publish = await start(load, { variables: withoutQueue() });
  const { status, json } = await publish({ path: { uuid: topic.uuid }, body });
  expect(status).toBe(200);
  expect(payloads()).toEqual([]);
  expect(await ledger()).toMatchObject([{ messageId: json.messageId, sweepShard: expect.stringMatching(/^due#/) }]);
});

it('refuses an event whose UIN the journal could not hold, and keeps and sends nothing of it', async () => {
  const topic = await newTopic('liveBirth');
  const publish = await start(load);
  const { status, json } = await publish({
    path: { uuid: topic.uuid },
    body: '{"source":"CR","uin":"1","uin2":"\\ud800"}',
  });
  expect([status, json.code]).toEqual([400, 1007]);
  expect(json.message).toContain('uin2 must be well-formed Unicode');
  expect([await ledger(), payloads()]).toEqual([[], []]);
});

it.each([
  ['the queue', 'queueMissed', () => ({ variables: withoutQueue() })],
  [
    'the ledger',
    'ledgerMissed',
    () => {
      withoutLedger();
      return {};
    },
  ],
] as const)(
  'is a fault of ours where %s fails, logged with ids and without the body',
  async (_what, error, failing) => {
    const topic = await newTopic();
    const publish = await start(load, failing());
    const { status, json } = await publish({ path: { uuid: topic.uuid }, query: 'subject=Zanzibar', body });
    expect(status).toBe(200);
    expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([
      { message: 'failed', operation: 'publishEvent', error, messageId: json.messageId, taskKey: 'message' },
    ]);
    for (const secret of ['Zanzibar', 'source', Buffer.from(body).toString('base64')]) {
      expect(lines.error.join()).not.toContain(secret);
    }
  },
);

it('is our own fault without either, and says so', async () => {
  const topic = await newTopic();
  const publish = await start(load, { variables: withoutQueue() });
  withoutLedger();
  expect((await publish({ path: { uuid: topic.uuid }, body })).status).toBe(500);
  expect(lines.error).toHaveLength(1);
  const line = JSON.parse(lines.error[0] ?? '');
  expect(line).toMatchObject({ message: 'failed', error: 'keptNowhere', taskKey: 'message', status: 500 });
  expect(line).toMatchObject({ cause: expect.stringMatching(/^\w*QueueDoesNotExist, Error$/) });
});

describe('an Idempotency-Key', () => {
  const keyed = { 'Idempotency-Key': 'k' };
  const long = 'x'.repeat(10_000);

  it.each([body, long])('publishes the same once: a repeat answers its messageId, and sends nothing', async (body) => {
    const topic = await newTopic();
    const publish = await start(load);
    const call = () => publish({ path: { uuid: topic.uuid }, query: 'subject=a', headers: keyed, body });
    const first = await call();
    await beginFanOut();
    const second = await call();
    expect([second.status, second.json]).toEqual([200, first.json]);
    expect(payloads()).toHaveLength(1);
    expect(await ledger()).toMatchObject([{ publicationId: payloads()[0]?.publicationId, subject: 'a' }]);
  });

  it.each([body, long])(
    'sends what the queue has not shown to fan-out yet again, as the same publication',
    async (body) => {
      const topic = await newTopic();
      const publish = await start(load);
      const call = () => publish({ path: { uuid: topic.uuid }, query: 'subject=a', headers: keyed, body });
      const first = await call();
      const row = await ledger();
      const second = await call();
      expect([second.status, second.json]).toEqual([200, first.json]);
      const [sent, again] = payloads();
      expect(again).toEqual({
        ...sent,
        // A long one is kept by then.
        notification: { ...sent?.notification, bodyBase64: body === long ? undefined : sent?.notification.bodyBase64 },
      });
      expect(await ledger()).toEqual(row);
    },
  );

  it('leaves the repeat to the audit where the queue fails again, and says so', async () => {
    const topic = await newTopic();
    const publish = await start(load, { variables: withoutQueue() });
    const call = () => publish({ path: { uuid: topic.uuid }, headers: keyed, body });
    expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
    expect(lines.error.map((line) => JSON.parse(line).error)).toEqual(['queueMissed', 'queueMissed']);
  });

  it.each([
    ['another body', { query: 'subject=a', body: '{"source":"CR","uin":"2"}' }],
    ['another long body', { query: 'subject=a', body: long }],
    ['another subject', { query: 'subject=b', body }],
    ['no subject', { body }],
    ['its subject in the body', { body: `a${body}` }],
  ])('refuses %s, and nothing of it is kept or sent', async (_what, other) => {
    const topic = await newTopic();
    const publish = await start(load);
    const path = { uuid: topic.uuid };
    const { json } = await publish({ path, query: 'subject=a', headers: keyed, body });
    await beginFanOut();
    const before = await ledger();
    const refused = await publish({ path, headers: keyed, ...other });
    expect([refused.status, refused.json.code]).toEqual([400, 1014]);
    expect(refused.json.message).toMatch(/^idempotency-key .*another body or subject/);
    expect(payloads()).toMatchObject([{ notification: { messageId: json.messageId } }]);
    expect(await ledger()).toEqual(before);
    // Who asks again with what was published hears what it is.
    expect((await publish({ path, query: 'subject=a', headers: keyed, body })).json).toEqual(json);
  });

  it('used by two at once with different content takes one of them and refuses the other', async () => {
    const topic = await newTopic();
    const publish = await start(load);
    const bodies = ['one', 'other', 'one', 'other'];
    const answers = await Promise.all(
      bodies.map((body) => publish({ path: { uuid: topic.uuid }, headers: keyed, body })),
    );
    const taken = Buffer.from(payloads()[0]?.notification.bodyBase64 ?? '', 'base64').toString();
    expect(answers.map(({ status }) => status)).toEqual(bodies.map((body) => (body === taken ? 200 : 400)));
    // Sent by both who were answered 200, it is one publication.
    expect(payloads()).toHaveLength(2);
    expect(payloads()[1]).toEqual(payloads()[0]);
    expect(await ledger()).toHaveLength(1);
  });

  it('is not decided by the queue: without the ledger it is 500, nothing is sent, and the log says why', async () => {
    const topic = await newTopic();
    const publish = await start(load);
    const call = (body: string) => publish({ path: { uuid: topic.uuid }, headers: keyed, body });
    withoutLedger();
    expect((await call('one')).status).toBe(500);
    expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([{ error: 'keyUndecided', status: 500 }]);
    harness.interfere({});
    expect((await call('other')).status).toBe(200);
    expect((await call('one')).status).toBe(400);
    expect(payloads()).toHaveLength(1);
  });

  it('whose row was written, but whose answer was lost, is sent all the same', async () => {
    const topic = await newTopic();
    const publish = await start(load);
    let lost = 0;
    harness.interfere({
      wire: async ({ command }, go) => {
        const answer = await go();
        if (command === 'PutItem' && lost++ === 0) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
        return answer;
      },
    });
    const { status, json } = await publish({ path: { uuid: topic.uuid }, headers: keyed, body });
    expect([status, lost]).toEqual([200, 2]);
    expect(payloads()).toMatchObject([{ notification: { messageId: json.messageId } }]);
  });
});
