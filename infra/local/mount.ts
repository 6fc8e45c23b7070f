import type { AwsClient } from './aws/emulators/aws-client.ts';
import type { Emulators } from './aws/emulators/emulators.ts';
import { createBuckets, createQueues, createSecrets, createTables } from './aws/emulators/provisioning.ts';
import { readEventSources } from './aws/functions/event-sources.ts';
import type { RuntimeOptions } from './aws/functions/function-spec.ts';
import { type Runtime, startRuntime } from './aws/functions/runtime.ts';
import { startSchedules } from './aws/functions/schedules.ts';
import { createGateway, type Gateway } from './aws/gateway/gateway.ts';
import { openStack, type Stack } from './aws/template/stack.ts';
import { type Assembly, readTemplate } from './aws/template/template.ts';
import { notifyQueues } from './emulators/bucket-notifications.ts';
import { readAccess } from './template/access.ts';

/** One template at work over the emulators. */
export interface Mounted {
  stack: Stack;
  runtime: Runtime;
  gateway: Gateway;
  /** Ends everything at once. */
  stop(): Promise<void>;
  /** Begins nothing any more, and ends when what has begun is done. */
  retire(): Promise<void>;
}

export interface Ground {
  port: number;
  emulators: Emulators;
  dynamodb: AwsClient;
  sqs: AwsClient;
  runtimeOptions: Omit<RuntimeOptions, 'endpoints'>;
}

/** Makes what the template declares and is not there yet, and sets its functions to work. */
export async function mountStack(
  assembly: Assembly,
  { port, emulators, dynamodb, sqs, runtimeOptions }: Ground,
): Promise<Mounted> {
  const { fauxqs, secrets, endpoints } = emulators;
  const { onEvent } = runtimeOptions;
  const stack = openStack(readTemplate(assembly), {
    baseUrl: `http://127.0.0.1:${port}`,
    sqsEndpoint: endpoints.sqs,
  });
  createBuckets(stack, fauxqs);
  createSecrets(stack, secrets);
  await Promise.all([createTables(stack, dynamodb), createQueues(stack, fauxqs, sqs)]);

  const runtime = startRuntime(stack, { ...runtimeOptions, endpoints });
  try {
    const startSources = readEventSources(stack, runtime, sqs);
    const gateway = createGateway(stack, runtime, port, onEvent, runtimeOptions.overrides);
    // Whatever is wrong with the template is known by now: nobody takes messages away from a stack that goes on.
    const sources = startSources();
    const stopSchedules = startSchedules(stack, runtime, onEvent);
    emulators.enforce(readAccess(stack));
    emulators.notify(notifyQueues(stack, fauxqs));
    return {
      stack,
      runtime,
      gateway,
      async stop() {
        stopSchedules();
        // Work in flight is cut off, as by a crash: the queues keep what was not finished.
        await Promise.all([sources.stop(), runtime.stop()]);
      },
      async retire() {
        stopSchedules();
        await Promise.all([sources.stop(), gateway.finished()]);
        await runtime.stop();
      },
    };
  } catch (error) {
    await runtime.stop();
    throw error;
  }
}
