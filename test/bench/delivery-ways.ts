import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { fanOutMessage, fanOutSegment } from '../../shared/delivery/fan-out/fan-out-message.ts';
import { fanOutPayload } from '../../shared/domain/deliveries/message.ts';
import { uuidRange, wholeTopic } from '../../shared/domain/deliveries/shards.ts';
import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import { aNotification } from '../harness/builders.ts';
import type { LargeTopics } from './delivery-large-topics.ts';

/** A way to fan out a publication. */
export type Way = (world: LargeTopics, topic: StoredTopic, eventSource: SQSClient) => Promise<void>;

/** Our fan-out, including the segments that were sent to the function's own queue. */
export const ours: Way = async ({ tools }, topic, eventSource) => {
  const { type: _, bodyBase64 = '', ...rest } = aNotification(topic, { timestamp: new Date().toISOString() });
  const notification = { ...rest, bodyBase64 };
  const onError = (fault: Error) => {
    throw fault;
  };
  await fanOutMessage({ publicationId: crypto.randomUUID(), notification }, { ...tools, onError });
  const QueueUrl = process.env.FAN_OUT_QUEUE_URL;
  for (;;) {
    const { Messages = [] } = await eventSource.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    if (Messages.length === 0) return;
    const payloads = Messages.map(({ Body = '' }) => fanOutPayload.parse(JSON.parse(Body)));
    await Promise.all(payloads.map((payload) => fanOutSegment(payload, payload.segment ?? wholeTopic(0), tools)));
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await eventSource.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
};

/** The simple fan-out: sends one message per subscriber. */
export const oneEach: Way = async ({ tools }, topic) => {
  const content = aNotification(topic);
  for await (const page of tools.subscriptions.listActive(content, uuidRange(wholeTopic(0)))) {
    const payloads = page.map(({ uuid, protocol }) => ({
      group: topic.uuid,
      payload: {
        taskKey: `one#${uuid}`,
        protocol,
        isSingle: true,
        attempt: 0,
        shardBits: 0,
        subscriptionUuids: [uuid],
        content,
      },
    }));
    await tools.queues.http.sendMany(payloads);
  }
};
