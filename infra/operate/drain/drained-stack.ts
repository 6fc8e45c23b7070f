import { CloudFormationClient, GetTemplateCommand, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import {
  DeleteFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { regionOf } from '../../settings/region.ts';
import { drainPlan } from './drain-plan.ts';
import { readQueueDepth } from './queue-depth.ts';

/** How many messages each queue has that is not empty. */
export type Counts = ReadonlyMap<string, number>;

/**
 * Opens a deployed stack of the service for a drain.
 * @throws Error if the stack is not deployed
 */
export async function openDrainedStack(StackName: string) {
  const cloudFormation = new CloudFormationClient({});
  await regionOf(cloudFormation);
  const [lambda, sqs] = [new LambdaClient({}), new SQSClient({})];
  const { TemplateBody = '' } = await cloudFormation.send(new GetTemplateCommand({ StackName }));
  const plan = drainPlan(JSON.parse(TemplateBody));
  const pages = await Array.fromAsync(paginateListStackResources({ client: cloudFormation }, { StackName }));
  const physicalIds = new Map(
    pages
      .flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries)
      .map(({ LogicalResourceId, PhysicalResourceId }) => [LogicalResourceId, PhysicalResourceId]),
  );

  const count = async (queues: readonly string[]): Promise<Counts> => {
    const found = queues.map(async (id) => {
      const QueueUrl = physicalIds.get(id);
      const { waiting, inFlight, delayed } = await readQueueDepth(sqs, QueueUrl);
      return [QueueUrl?.split('/').at(-1) ?? id, waiting + inFlight + delayed] as const;
    });
    return new Map((await Promise.all(found)).filter(([, messages]) => messages > 0));
  };
  const reserve = async (id: string, ReservedConcurrentExecutions: number | undefined): Promise<void> => {
    const FunctionName = physicalIds.get(id);
    await (ReservedConcurrentExecutions === undefined
      ? lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }))
      : lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions })));
  };
  const enable = async (Enabled: boolean): Promise<void> => {
    for (const id of plan.eventSources)
      await lambda.send(new UpdateEventSourceMappingCommand({ UUID: physicalIds.get(id), Enabled }));
  };

  return {
    deadLetters: () => count(plan.deadLetterQueues),
    waiting: () => count(plan.queues),
    /** Stops everything that sends new messages. A function with the reserved concurrency 0 does not run. */
    async stop(): Promise<void> {
      for (const id of plan.functions.keys()) await reserve(id, 0);
      await enable(false);
    },
    /** Undoes `stop`. */
    async resume(): Promise<void> {
      for (const [id, reserved] of plan.functions) await reserve(id, reserved);
      await enable(true);
    },
  };
}

export type DrainedStack = Awaited<ReturnType<typeof openDrainedStack>>;
