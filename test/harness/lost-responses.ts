import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { patientRetries } from '../../shared/storage/retry-strategy.ts';

interface Lossy {
  readonly client: DynamoDBClient;
  /** How many answers were lost so far. */
  readonly lost: () => number;
}

/**
 * From now on the client does not hear its first answers to a command: DynamoDB has done what was asked by then, and the
 * SDK asks again by itself. Answers how many were lost so far.
 * @param command as the SDK names it, such as `PutItemCommand`
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

/** A client beside the given one that loses its first answers to a command. */
export function losingAnswers({ config }: DynamoDBClient, command: string, answers = 1): Lossy {
  const { endpoint, credentials, region, requestHandler } = config;
  const client = new DynamoDBClient({
    ...(endpoint && { endpoint }),
    ...{ credentials, region, requestHandler, retryStrategy: patientRetries },
  });
  return { client, lost: loseAnswers(client, command, answers) };
}
