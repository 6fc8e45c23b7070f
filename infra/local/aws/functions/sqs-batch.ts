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

/** The message as a function gets it. */
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

/** The messages that are done. An answer that names an unknown message, or cannot be read, means that none is. */
export function settledMessages(messages: Message[], payload: string, reportsItemFailures: boolean): Message[] {
  if (!reportsItemFailures) return messages;
  const answer = JSON.parse(payload) as Partial<SQSBatchResponse> | null;
  const failures = answer?.batchItemFailures ?? [];
  if (!Array.isArray(failures)) return [];
  const failed = new Set(failures.map((failure) => failure?.itemIdentifier));
  const known = new Set(messages.map(({ MessageId }) => MessageId));
  if (![...failed].every((id) => known.has(id))) return [];
  return messages.filter(({ MessageId }) => !failed.has(MessageId));
}
