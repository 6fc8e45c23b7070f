import { expect, it } from 'vitest';
import { s3 } from '../../shared/storage/documents/objects.ts';
import { dynamo } from '../../shared/storage/dynamo.ts';
import { sqs } from '../../shared/storage/queues/sqs.ts';
import { namingSecret, signingSecret } from '../../shared/storage/secrets/store.ts';

it.each([
  ['DynamoDB', dynamo],
  ['SQS', sqs],
  ['S3', s3],
  ['Secrets Manager for signing', signingSecret.client],
  ['Secrets Manager for naming', namingSecret.client],
])('a request to %s times out within 8 seconds if there is no response', async (_name, clientOf) => {
  const { requestHandler } = (clientOf as typeof sqs)().config;
  // The request handler loads its configuration with the first request, so the test sends a request and aborts it.
  const aborted = { abortSignal: AbortSignal.abort() };
  await requestHandler.handle({} as Parameters<typeof requestHandler.handle>[0], aborted).catch(() => {});
  const { requestTimeout, ...limits } = Object(requestHandler).httpHandlerConfigs();
  expect(limits).toMatchObject({ connectionTimeout: 1000, throwOnRequestTimeout: true });
  expect(requestTimeout).toBeLessThanOrEqual(8000);
});
