import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { openFunctions } from '../functions.ts';
import { drainedQueues, heldWorkers, senders } from './drain-plan.ts';
import { readQueueDepth } from './queue-depth.ts';

/** The numbers of messages in the queues that are not empty. */
export type Counts = ReadonlyMap<string, number>;

/**
 * Opens a deployed stack of the service for a drain.
 * @throws Error if the stack is not deployed
 */
export async function openDrainedStack(stack: string, region: string) {
  const sqs = new SQSClient({ region });
  const functions = await openFunctions(new CloudFormationClient({ region }), new LambdaClient({ region }), stack);
  const { queues, deadLetterQueues } = drainedQueues(functions.template);

  const count = async (ids: readonly string[]): Promise<Counts> => {
    const found = ids.map(async (id) => {
      const QueueUrl = functions.physicalIds.get(id);
      const { waiting, inFlight, delayed } = await readQueueDepth(sqs, QueueUrl);
      return [QueueUrl?.split('/').at(-1) ?? id, waiting + inFlight + delayed] as const;
    });
    return new Map((await Promise.all(found)).filter(([, messages]) => messages > 0));
  };

  return {
    deadLetters: () => count(deadLetterQueues),
    waiting: () => count(queues),
    /** Stops all functions that send new messages. */
    async stop(): Promise<void> {
      await functions.stop(senders);
      await functions.hold(heldWorkers);
    },
    /** Starts the functions that `stop` has stopped. */
    async resume(): Promise<void> {
      await functions.start(senders);
      await functions.release(heldWorkers);
    },
  };
}

export type DrainedStack = Awaited<ReturnType<typeof openDrainedStack>>;
