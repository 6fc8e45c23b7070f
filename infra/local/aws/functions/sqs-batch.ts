import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { region } from '../template/identifiers.ts';

export interface Message {
  MessageId: string;
  ReceiptHandle: string;
  Body: string;
  MD5OfBody: string;
  Attributes?: Record<string, string>;
  MessageAttributes?: Record<string, { DataType: string; StringValue?: string; BinaryValue?: string }>;
}

export function recordOf(message: Message, eventSourceARN: string): SQSRecord {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [
    name,
    {
      ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
      ...(value.BinaryValue !== undefined && { binaryValue: value.BinaryValue }),
      stringListValues: [],
      binaryListValues: [],
      dataType: value.DataType,
    },
  ]);
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: (message.Attributes ?? {}) as unknown as SQSRecord['attributes'],
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: region,
  };
}

/** Returns the processed messages; none if the response is malformed or contains an unknown message id. */
export function completedMessages(messages: Message[], payload: string, reportsItemFailures: boolean): Message[] {
  if (!reportsItemFailures) return messages;
  const response = JSON.parse(payload) as Partial<SQSBatchResponse> | null;
  const failures = response?.batchItemFailures ?? [];
  if (!Array.isArray(failures)) return [];
  const failed = new Set(failures.map((failure) => failure?.itemIdentifier));
  const messageIds = new Set(messages.map(({ MessageId }) => MessageId));
  if (![...failed].every((id) => messageIds.has(id))) return [];
  return messages.filter(({ MessageId }) => !failed.has(MessageId));
}
