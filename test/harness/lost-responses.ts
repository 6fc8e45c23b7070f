import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { retryStrategy } from '../../shared/storage/retry-strategy.ts';
import { interfereWith, losingResponse } from './interference.ts';

/**
 * Creates a copy of a DynamoDB client. The copy loses the response to its first call of the given command, such as
 * `PutItemCommand`. `lost` returns the number of responses lost so far.
 */
export function losingResponses({ config }: DynamoDBClient, command: string) {
  const { endpoint, credentials, region, requestHandler } = config;
  const client = new DynamoDBClient({
    ...(endpoint && { endpoint }),
    ...{ credentials, region, requestHandler, retryStrategy },
  });
  const { interference, lost } = losingResponse(command.replace(/Command$/, ''));
  interfereWith(client, () => interference);
  return { client, lost };
}
