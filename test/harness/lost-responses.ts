import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { retryStrategy } from '../../shared/storage/retry-strategy.ts';

interface Lossy {
  readonly client: DynamoDBClient;
  /** The number of lost responses so far. */
  readonly lost: () => number;
}

/**
 * Drops the responses to a command's first calls. DynamoDB executes these calls, and the SDK retries them. Returns a
 * function that returns the number of lost responses.
 * @param command the SDK's name for the command, such as `PutItemCommand`
 */
function loseAnswers(client: DynamoDBClient, command: string, answers = 1): () => number {
  let lost = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        const answer = await next(request);
        if (commandName !== command || lost === answers) return answer;
        lost += 1;
        throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
      },
    { step: 'deserialize', priority: 'high', name: 'loseAnswers' },
  );
  return () => lost;
}

/** Creates a copy of a client. The copy loses the responses to a command's first calls. */
export function losingResponses({ config }: DynamoDBClient, command: string, answers = 1): Lossy {
  const { endpoint, credentials, region, requestHandler } = config;
  const client = new DynamoDBClient({
    ...(endpoint && { endpoint }),
    ...{ credentials, region, requestHandler, retryStrategy: retryStrategy },
  });
  return { client, lost: loseAnswers(client, command, answers) };
}
