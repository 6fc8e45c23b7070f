import { beforeEach, describe, expect, it } from 'vitest';
import type { FanOutPayload } from '../../../shared/domain/deliveries/message.ts';
import { queues } from '../../../shared/storage/queues/store.ts';
import { sqsBackends } from '../../harness/backends.ts';

// The test payload can be any text, so that tests can create payloads of any size.
type Payload = { text: string };

describe.each(sqsBackends)('a queue of the %s SQS', (_name, useBackend) => {
  const sqs = useBackend();
  const open = (url: string) =>
    queues.permissions.fanOut(sqs.client, url).fanOut as unknown as {
      send(sending: { payload: Payload; group: string; delaySeconds?: number }): Promise<void>;
      sendMany(sendings: readonly { payload: Payload; group: string; delaySeconds?: number }[]): Promise<void>;
    };

  let url: string;
  let queue: ReturnType<typeof open>;
  beforeEach(() => {
    url = sqs.createQueue();
    queue = open(url);
  });

  const payloads = (count: number, text = '') =>
    Array.from({ length: count }, (_, index) => ({
      payload: { text: `${index}${text}` },
      group: `group-${index % 3}`,
    }));

  /** Makes a call. Returns the message groups in each SQS request of the given call. */
  async function requestsOf(call: () => Promise<void>): Promise<unknown[][]> {
    const requests: unknown[][] = [];
    const send = sqs.client.send.bind(sqs.client) as (command: { input: object }) => Promise<never>;
    sqs.client.send = (command: { input: object }) => {
      const input = command.input as { Entries?: { MessageGroupId?: string }[]; MessageGroupId?: string };
      requests.push((input.Entries ?? [input]).map(({ MessageGroupId }) => MessageGroupId));
      return send(command);
    };
    await call();
    sqs.client.send = send;
    return requests;
  }
  const sizesOf = async (call: () => Promise<void>) => (await requestsOf(call)).map(({ length }) => length);

  it('a queue accepts one payload with a group and a delay', async () => {
    const groups = await requestsOf(async () => {
      await queue.send({ payload: { text: 'a' }, group: 'topic-1' });
      await queue.send({ payload: { text: 'b' }, group: 'topic-2', delaySeconds: 900 });
    });
    expect(groups).toEqual([['topic-1'], ['topic-2']]);
    expect(sqs.messagesIn(url)).toEqual([
      { payload: { text: 'a' }, delaySeconds: 0 },
      { payload: { text: 'b' }, delaySeconds: 900 },
    ]);
  });

  it('a queue accepts many payloads, ten per request, each with its own group and delay', async () => {
    const sendings = payloads(23).map((sending, index) => ({ ...sending, delaySeconds: index }));
    const groups = await requestsOf(() => queue.sendMany(sendings));
    expect(groups.map(({ length }) => length)).toEqual([10, 10, 3]);
    expect(groups.flat()).toEqual(sendings.map(({ group }) => group));
    const text = ({ payload }: { payload: unknown }) => Number((payload as Payload).text);
    expect(sqs.messagesIn(url).toSorted((a, b) => text(a) - text(b))).toEqual(
      sendings.map(({ payload, delaySeconds }) => ({ payload, delaySeconds })),
    );
  });

  it('no request is sent to a queue for an empty list', async () => {
    expect(await sizesOf(() => queue.sendMany([]))).toEqual([]);
  });

  it('batches for a queue are limited to 1 MB, counting bytes instead of characters', async () => {
    const sendings = payloads(7, 'é'.repeat(150_000));
    expect(await sizesOf(() => queue.sendMany(sendings))).toEqual([3, 3, 1]);
    expect(sqs.messagesIn(url)).toHaveLength(7);
  });

  it('a queue accepts the largest possible event', async () => {
    const payload = {
      publicationId: 'j',
      notification: { bodyBase64: 'A'.repeat(350_000) },
    } as unknown as FanOutPayload;
    await queues.permissions.fanOut(sqs.client, url).fanOut.send({ payload, group: 'topic' });
    const [arrived] = sqs.messagesIn<FanOutPayload>(url);
    expect(arrived?.payload.notification.bodyBase64?.length).toBe(350_000);
  });

  it('a queue accepts any text, including characters that SQS rejects', async () => {
    const text = 'état 出生 👶 \u0000 \ufffe \uffff \\uffff';
    await queue.send({ payload: { text }, group: 'a' });
    await queue.sendMany([{ payload: { text }, group: 'a' }]);
    expect(sqs.messagesIn<Payload>(url).map(({ payload }) => payload.text)).toEqual([text, text]);
  });

  it('sendMany throws an error if SQS rejects one of many payloads, but sends the other payloads', async () => {
    url = sqs.createQueue({ MaximumMessageSize: '1024' });
    const sendings = ['a', 'x'.repeat(2000), 'c'].map((text) => ({ payload: { text }, group: 'g' }));
    await expect(open(url).sendMany(sendings)).rejects.toThrow(/messagesRefused: .*queue fanOut, count 1/);
    expect(sqs.messagesIn<Payload>(url).map(({ payload }) => payload.text)).toEqual(['a', 'c']);
  });

  it('send throws an error if the queue does not exist', async () => {
    await expect(open(`${url}-gone`).send({ payload: { text: 'a' }, group: 'a' })).rejects.toThrow();
  });
});
