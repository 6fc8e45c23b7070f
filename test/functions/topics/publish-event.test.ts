import { expect, it } from 'vitest';
import type { FanOutPayload } from '../../../shared/model/deliveries/fan-out-payload.ts';
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

it('opens one page for two calls under one key, and the second job finds that it is another’s', async () => {
  const topic = await newTopic();
  const publish = await start(load);
  const call = () => publish({ path: { uuid: topic.uuid }, headers: { 'Idempotency-Key': 'k' }, body });
  const [first, second] = [await call(), await call()];
  expect(second.json).toEqual(first.json);
  expect(new Set(payloads().map(({ publicationId }) => publicationId)).size).toBe(2);
  expect(await ledger()).toMatchObject([{ publicationId: payloads()[0]?.publicationId }]);
});
