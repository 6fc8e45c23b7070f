import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { fanOutWhole } from '../../shared/delivery/engine/fan-out.ts';
import { fanOutSegment } from '../../shared/delivery/engine/fan-out-segment.ts';
import { uuidRange, wholeTopic } from '../../shared/domain/deliveries/plan-tasks.ts';
import { fanOutPayload } from '../../shared/model/deliveries/fan-out-payload.ts';
import type { StoredTopic } from '../../shared/model/topics/topic.ts';
import { aNotification } from '../harness/builders.ts';
import type { LargeTopics } from './delivery-large-topics.ts';

/** The ways to fan a publication out. */
export type Way = (world: LargeTopics, topic: StoredTopic, eventSource: SQSClient) => Promise<void>;

/** As the function does it: the publication, then the segments that it left in its own queue, a batch at a time. */
export const ours: Way = async ({ tools }, topic, eventSource) => {
  const { type: _, bodyBase64 = '', ...rest } = aNotification(topic, { timestamp: new Date().toISOString() });
  const notification = { ...rest, bodyBase64 };
  const onFault = (fault: Error) => {
    throw fault;
  };
  await fanOutWhole({ publicationId: crypto.randomUUID(), notification }, { ...tools, onFault });
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

/** The obvious way: a message for each subscriber. */
export const oneEach: Way = async ({ tools }, topic) => {
  const content = aNotification(topic);
  for await (const page of tools.subscriptions.active(content, uuidRange(wholeTopic(0)))) {
    const payloads = page.map(({ uuid, protocol }) => ({
      group: topic.uuid,
      payload: {
        taskKey: `one#${uuid}`,
        protocol,
        isSingle: true,
        attempt: 0,
        bits: 0,
        subscriptionUuids: [uuid],
        content,
      },
    }));
    await tools.queues.http.sendMany(payloads);
  }
};
