import { SQSClient } from '@aws-sdk/client-sqs';
import { clientConfig, withoutLogger } from '../client-config.ts';

let client: SQSClient | undefined;

/** Returns the SQS client, which is created on first use and shared by the whole function. */
export const sqs = (): SQSClient => {
  client ??= withoutLogger(new SQSClient(clientConfig(4000)));
  return client;
};
