import { SQSClient } from '@aws-sdk/client-sqs';
import { clientConfig, sharedClient } from '../client-config.ts';

/** Returns the SQS client that the whole function shares. The client is created when it is first used. */
export const sqs = sharedClient(() => new SQSClient(clientConfig(4000)));
