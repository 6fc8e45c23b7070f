import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Message } from '../../infra/local/aws/functions/sqs-batch.ts';
import type { QueueName } from '../../shared/contract/queues.ts';
import type { DeliveryContext } from '../../shared/delivery/delivery-context.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';

/** A call that leaves a function: of AWS, by its command (`PutItem`), or of the sender (`POST`). */
export interface Call {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

type Between = <Result>(call: Call, go: () => Promise<Result>) => Promise<Result>;

/** What a test may put in the way of functions; of the queues, in the way of those that the delivery harness feeds. */
export interface Interference {
  /** Around every call of a function, AWS's and the sender's; the SDK's own retries are inside. */
  call?: Between;
  /** Around every request to AWS as it goes over the wire; the SDK's own retries come through here. */
  wire?: Between;
  /** Around the engine of the delivering functions. */
  engine?: (engine: DeliveryContext) => DeliveryContext;
  /** Resolves when the process that works on a batch has died: its messages are left where they are. */
  death?: Promise<unknown>;
  /** Between the queue and a worker: which records a batch has, in which order. */
  batch?: (queue: QueueName, messages: Message[]) => Message[];
  /** Between a worker and the queue: what is settled. */
  settled?: (queue: QueueName, messages: Message[]) => Message[];
}

/** These commands fail, before AWS hears of them. */
export const refusing = (...commands: readonly string[]): Interference => ({
  call: ({ command }, go) => (commands.includes(command) ? Promise.reject(new Error(`${command} is down`)) : go()),
});

/** AWS does what the first such command asks, and its answer is lost on the way; the SDK asks again by itself. */
export function losingAnswer(command: string): { readonly interference: Interference; readonly lost: () => number } {
  let lost = 0;
  const wire: Between = async (call, go) => {
    const answer = await go();
    if (call.command !== command || lost > 0) return answer;
    lost += 1;
    throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
  };
  return { interference: { wire }, lost: () => lost };
}

/** The sparse index lags: it does not show these subscriptions yet. */
export const hiding = (...hidden: readonly (StoredSubscription | undefined)[]): Interference => ({
  async call(call, go) {
    const done = await go();
    if (call.input.IndexName !== 'activeByTopic') return done;
    const { output } = done as { output: { Items?: { uuid?: { S?: string } }[] } };
    const isHidden = (uuid: string | undefined) => hidden.some((one) => one?.uuid === uuid);
    return { ...done, output: { ...output, Items: output.Items?.filter(({ uuid }) => !isHidden(uuid?.S)) } };
  },
});

/** A client of AWS, such as a store makes. */
export type AwsClient = Pick<DynamoDBClient, 'middlewareStack' | 'destroy'>;

/** Lets an interference step between a client and AWS; answers how to take it away again. */
export function letBetween({ middlewareStack }: AwsClient, now: () => Interference): () => void {
  const names = { call: 'betweenFunctionAndAws', wire: 'betweenSdkAndAws' } as const;
  const step =
    <Result>(where: 'call' | 'wire', name: string | undefined, next: (request: never) => Promise<Result>) =>
    (request: { input: object }): Promise<Result> => {
      const call = { command: String(name).replace(/Command$/, ''), input: request.input as Call['input'] };
      const go = () => next(request as never);
      return now()[where]?.(call, go) ?? go();
    };
  middlewareStack.add((next, { commandName }) => step('call', commandName, next), {
    step: 'initialize',
    name: names.call,
  });
  // After the SDK's retries, so that each attempt comes by.
  middlewareStack.add((next, { commandName }) => step('wire', commandName, next), {
    step: 'deserialize',
    name: names.wire,
  });
  return () => {
    for (const name of Object.values(names)) middlewareStack.remove(name);
  };
}
