import type { AwsClient } from './aws/emulators/aws-client.ts';
import { createBucketNotifier } from './aws/emulators/bucket-notifications.ts';
import type { Emulators } from './aws/emulators/emulators.ts';
import { createBuckets, createQueues, createSecrets, createTables } from './aws/emulators/provisioning.ts';
import { readEventSources } from './aws/functions/event-sources.ts';
import type { RuntimeOptions } from './aws/functions/function-spec.ts';
import { type Runtime, startRuntime } from './aws/functions/runtime.ts';
import { startSchedules } from './aws/functions/schedules.ts';
import { createGateway, type Gateway } from './aws/gateway/gateway.ts';
import { readAccess } from './aws/template/access.ts';
import { openStack, type Stack } from './aws/template/stack.ts';
import { type Assembly, readTemplate } from './aws/template/template.ts';

export interface Mounted {
  stack: Stack;
  runtime: Runtime;
  gateway: Gateway;
  stop(): Promise<void>;
  drain(): Promise<void>;
}

interface MountOptions {
  port: number;
  emulators: Emulators;
  dynamodb: AwsClient;
  sqs: AwsClient;
  runtimeOptions: Omit<RuntimeOptions, 'endpoints'>;
}

/** Creates the missing resources, and makes the template's functions available. */
export async function mountStack(
  assembly: Assembly,
  { port, emulators, dynamodb, sqs, runtimeOptions }: MountOptions,
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
    // Starts the event sources last, because they take messages from the previous stack, which keeps running if a step
    // fails.
    const sources = startSources();
    const stopSchedules = startSchedules(stack, runtime, onEvent);
    emulators.enforceGrants(readAccess(stack));
    emulators.onObjectEvent(createBucketNotifier(stack, fauxqs));
    return {
      stack,
      runtime,
      gateway,
      async stop() {
        stopSchedules();
        // Interrupts running work as a crash would, so that unfinished messages stay in the queues.
        await Promise.all([sources.stop(), runtime.stop()]);
      },
      async drain() {
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
