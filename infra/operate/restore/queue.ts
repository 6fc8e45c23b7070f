import { isDeepStrictEqual } from 'node:util';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  type QueueAttributeName,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import { indexDocuments, reindexPersons } from '../../../shared/contract/jobs.ts';
import { deliveryQueues } from '../../../shared/contract/queue-names.ts';
import { workerLanes } from '../../../shared/contract/workers.ts';
import { tagsOf } from '../../stacks/stacks.ts';
import { OptionError } from '../command-line.ts';
import { textOf } from '../deploy/place.ts';
import { refersTo } from '../functions.ts';
import type { RawTemplate } from '../release/assembly-stacks.ts';
import { type DeployedStage, unlessMissing } from './deployed-stage.ts';
import { runJob } from './functions-of-table.ts';
import { type Addresses, resolve } from './intrinsics.ts';
import type { RestoreOptions } from './options.ts';
import { type Plan, retryOn, type Step } from './steps.ts';

/** The jobs that resend the messages of a lost queue, by queue name. */
const jobsOf: Readonly<Record<string, { readonly job: string }>> = {
  documentEvents: indexDocuments,
  reindexing: reindexPersons,
};

function noteOf(queue: string): string {
  if (Object.hasOwn(deliveryQueues, queue)) return 'The sweeper resends the lost deliveries after 10 minutes.';
  if (queue === 'imports') return 'Upload the file of the current import again. The import continues where it stopped.';
  return 'The messages that were in the queue are lost.';
}

const nameOf = (url: string): string => url.split('/').at(-1) ?? '';

interface DeployedQueue {
  readonly url: string;
  readonly attributes: Partial<Record<QueueAttributeName, string>>;
}

/** Returns the attributes and the policy that a queue has in the stack's template. */
function readQueue({ Resources }: RawTemplate, id: string, addresses: Addresses): DeployedQueue {
  const properties = resolve(Resources[id]?.Properties ?? {}, addresses) as Record<string, unknown>;
  const attributes = Object.entries(properties)
    .filter(([name]) => !['QueueName', 'Tags'].includes(name))
    .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as const);
  const policy = Object.values(Resources).find(
    ({ Type, Properties }) => Type === 'AWS::SQS::QueuePolicy' && refersTo(Properties?.Queues, id),
  );
  const Policy = policy && JSON.stringify(resolve(policy.Properties?.PolicyDocument, addresses));
  return {
    url: addresses.refs.get(id) ?? '',
    attributes: { ...Object.fromEntries(attributes), ...(Policy !== undefined && { Policy }) },
  };
}

/** Compares policies as JSON, because SQS changes the format of policies. */
const isSame = (one: string | undefined, other: string): boolean =>
  one === other || (one?.startsWith('{') === true && isDeepStrictEqual(JSON.parse(one), JSON.parse(other)));

const creationTries = 12;

/**
 * Returns the steps that create a lost queue again, with the same name. The queue's URL and ARN stay the same, so
 * functions, grants and alarms do not need to change. SQS rejects the name of a deleted queue for 60 seconds
 * ("CreateQueue", Amazon SQS API Reference).
 */
export async function queuePlan(stage: DeployedStage, { store }: RestoreOptions): Promise<Plan> {
  const { clients, settings, place, stack, functions, terminal } = stage;
  if (functions === undefined) throw new OptionError(`${stack} is not deployed`);
  const pattern = new RegExp(`^queues${store}[0-9A-F]{8}$`);
  const idIn = ({ template }: DeployedStage['data']) => Object.keys(template.Resources).find((id) => pattern.test(id));
  const holder = [functions, stage.data].find((one) => idIn(one) !== undefined);
  if (holder === undefined) throw new OptionError(`${stack} has no queue ${store}`);
  const id = idIn(holder) ?? '';
  const queue = readQueue(holder.template, id, await stage.addresses(holder));
  const { url: QueueUrl, attributes: Attributes } = queue;
  const attributes = async () => {
    const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
    return (await unlessMissing(clients.sqs.send(asked)))?.Attributes;
  };
  const hasAttributes = async () => {
    const are = await attributes();
    return Object.entries(Attributes).every(([name, value]) => isSame(are?.[name as QueueAttributeName], value));
  };
  const wasLost = (await attributes()) === undefined;
  const create: Step = {
    does: `create the queue ${nameOf(QueueUrl)}`,
    isDone: async () => (await attributes()) !== undefined,
    async run() {
      const command = new CreateQueueCommand({ QueueName: nameOf(QueueUrl), tags: tagsOf(settings), Attributes });
      await retryOn('QueueDeletedRecently', creationTries, terminal, () => clients.sqs.send(command));
    },
  };
  const configure: Step = {
    does: `set its ${Object.keys(Attributes).join(', ')}`,
    isDone: hasAttributes,
    run: async () => void (await clients.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }))),
  };
  const workers = workerLanes.filter((worker) => worker.queue === store).map(({ lane }) => lane);
  const release: Step = {
    does: `let ${workers.join(', ')} read the queue`,
    isDone: async () => !wasLost && (await functions.held(workers)).length === 0,
    run: () => functions.release(workers),
  };
  const job = jobsOf[store];
  const sendAgain: Step[] =
    job === undefined ? [] : [{ does: `run ${job.job}`, isDone: async () => !wasLost, run: () => runJob(stage, job) }];
  return {
    title: `Restore the queue ${store} of ${settings.stage} (${textOf(place)})`,
    steps: [create, configure, ...(workers.length > 0 ? [release] : []), ...sendAgain],
    notes: [noteOf(store)],
  };
}
