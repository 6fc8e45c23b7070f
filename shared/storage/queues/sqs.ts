import { SQSClient } from '@aws-sdk/client-sqs';
import { answerWithin } from '../answer-within.ts';
import { withoutLogger } from '../without-logger.ts';

let client: SQSClient | undefined;

/** The function's one SQS client, made at first use. */
export const sqs = (): SQSClient => {
  client ??= withoutLogger(new SQSClient({ requestHandler: answerWithin(4000) }));
  return client;
};
