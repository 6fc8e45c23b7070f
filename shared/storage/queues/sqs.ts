import { SQSClient } from '@aws-sdk/client-sqs';
import { clientConfig, withoutLogger } from '../client-config.ts';

let client: SQSClient | undefined;

/** Returns the SQS client that the whole function shares. The client is created when it is first used. */
export const sqs = (): SQSClient => {
  client ??= withoutLogger(new SQSClient(clientConfig(4000)));
  return client;
};
