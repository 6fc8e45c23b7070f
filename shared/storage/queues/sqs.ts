import { SQSClient } from '@aws-sdk/client-sqs';
import { withoutLogger } from '../without-logger.ts';

let client: SQSClient | undefined;

/** The function's one SQS client, made at first use. */
export const sqs = (): SQSClient => {
  client ??= withoutLogger(new SQSClient({}));
  return client;
};
