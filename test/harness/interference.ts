import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Message } from '../../infra/local/aws/functions/sqs-batch.ts';
import type { QueueName } from '../../shared/contract/queue-names.ts';
import type { DeliveryContext } from '../../shared/delivery/delivery-context.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';

/** A call from a function to another system: an AWS command (such as `PutItem`) or a POST request from the sender. */
export interface Call {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

type Between = <Result>(call: Call, go: () => Promise<Result>) => Promise<Result>;

/** Specifies how a test interferes with functions. Only the delivery harness supports interference with queues. */
export interface Interference {
  /** Wraps every AWS call together with its SDK retries, and every call to the sender. */
  call?: Between;
  /** Wraps every HTTP request to AWS. Each SDK retry is a separate request. */
  wire?: Between;
  /** Wraps the delivery engine. */
  engine?: (engine: DeliveryContext) => DeliveryContext;
  /** Resolves when the process that is handling a batch dies. The messages of the batch then stay in the queue. */
  death?: Promise<unknown>;
  /** Returns the messages that the function receives as a batch, in order. */
  batch?: (queue: QueueName, messages: Message[]) => Message[];
  /** Returns the messages to delete from the queue after a batch. */
  settled?: (queue: QueueName, messages: Message[]) => Message[];
}

/** Makes the given commands fail before they reach AWS. */
export const failing = (...commands: readonly string[]): Interference => ({
  call: ({ command }, go) => (commands.includes(command) ? Promise.reject(new Error(`${command} is down`)) : go()),
});

/** Loses the response to the first call of a command. AWS executes the call, and the SDK then retries it. */
export function losingResponse(command: string): { readonly interference: Interference; readonly lost: () => number } {
  let lost = 0;
  const wire: Between = async (call, go) => {
    const answer = await go();
    if (call.command !== command || lost > 0) return answer;
    lost += 1;
    throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
  };
  return { interference: { wire }, lost: () => lost };
}

/** Simulates an index that lags behind its table and does not yet contain the given subscriptions. */
export const hiding = (...hidden: readonly (StoredSubscription | undefined)[]): Interference => ({
  async call(call, go) {
    const done = await go();
    if (call.input.IndexName !== 'activeByTopic') return done;
    const { output } = done as { output: { Items?: { uuid?: { S?: string } }[] } };
    const isHidden = (uuid: string | undefined) => hidden.some((one) => one?.uuid === uuid);
    return { ...done, output: { ...output, Items: output.Items?.filter(({ uuid }) => !isHidden(uuid?.S)) } };
  },
});

/** The parts of an AWS client that are needed to interfere with its calls. */
export type AwsClient = Pick<DynamoDBClient, 'middlewareStack' | 'destroy'>;

/** Lets a test interfere with the calls of an AWS client. Returns a function that ends the interference. */
export function interfereWith(client: AwsClient, now: () => Interference): () => void {
  const { middlewareStack } = client;
  const names = { call: 'betweenFunctionAndAws', wire: 'betweenSdkAndAws' } as const;
  const step =
    <Result>(where: 'call' | 'wire', name: string | undefined, next: (request: never) => Promise<Result>) =>
    (request: { input: object }): Promise<Result> => {
      const call = { command: String(name).replace(/Command$/, ''), input: request.input as Call['input'] };
      const go = () => next(request as never);
      return now()[where]?.(call, go) ?? go();
    };
  middlewareStack.add((next, one) => step('call', one.commandName, next), { step: 'initialize', name: names.call });
  // The interference runs after the SDK's retry middleware, so that it affects every attempt.
  middlewareStack.add((next, one) => step('wire', one.commandName, next), { step: 'deserialize', name: names.wire });
  // Clears the middleware that the client has cached.
  client.destroy();
  return () => {
    for (const name of Object.values(names)) middlewareStack.remove(name);
    client.destroy();
  };
}
