import { Duration } from 'aws-cdk-lib';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { copiesOf } from '../../shared/contract/concurrency.ts';
import { workerLanes } from '../../shared/contract/workers.ts';
import { channelOfQueue } from '../../shared/domain/deliveries/channels.ts';
import type { Bundle } from '../build/bundle.ts';
import { settingValue } from '../settings/settings.ts';
import { accept } from './accepted-rules.ts';
import { readingQueue } from './encryption.ts';
import { grant, type Resources, settingVariables } from './grants.ts';
import { type ServiceFunction, serviceFunction } from './service-function.ts';
import { workerTimes } from './worker-times.ts';

// DNS lookups run in threads. With Node.js's default of 4 threads, a few slow name servers would delay deliveries to
// all receivers.
const lookupThreads = { UV_THREADPOOL_SIZE: '64' } as const;

interface WorkersProps extends Resources {
  readonly bundleOf: (file: string) => Bundle;
  readonly baseUrl: string;
}

export class Workers extends Construct {
  readonly functions: ServiceFunction[] = [];

  constructor(scope: Construct, id: string, props: WorkersProps) {
    super(scope, id);
    const values = { ...props.settings, baseUrl: props.baseUrl };
    for (const worker of workerLanes) {
      const batchingSeconds = 'batchingSeconds' in worker ? worker.batchingSeconds : undefined;
      const connects = channelOfQueue(worker.queue)?.connectsTo !== undefined;
      const working = serviceFunction(this, worker.lane, {
        settings: props.settings,
        bundle: props.bundleOf(worker.file),
        description: `Queue worker. While it fails: ${worker.impact}`,
        timeoutSeconds: workerTimes(worker.queue, props.settings).functionSeconds,
        memoryMegabytes: worker.memoryMegabytes,
        environment: { ...settingVariables(worker.reads, values), ...(connects ? lookupThreads : {}) },
        // Lambda's loop detection must not stop retries, because a delivery may pass through the same functions 168
        // times or more. The subscription's policy limits the retries.
        recursiveLoop: RecursiveLoop.ALLOW,
        impact: worker.impact,
      });
      grant(working.lambda, worker.uses, props, ...readingQueue);
      const queue = props.queues.byName[worker.queue];
      // The permissions that Lambda needs to read a queue ("Using Lambda with Amazon SQS", Developer Guide). CDK's
      // event source would grant more permissions.
      queue.grant(working.lambda, 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes');
      const mapping = working.lambda.addEventSourceMapping('queue', {
        eventSourceArn: queue.queueArn,
        batchSize: worker.batchSize,
        maxConcurrency: copiesOf(worker, settingValue(props.settings, 'concurrency')),
        ...(batchingSeconds === undefined ? {} : { maxBatchingWindow: Duration.seconds(batchingSeconds) }),
        reportBatchItemFailures: true,
      });
      accept(mapping, 'workerFailures');
      this.functions.push(working);
    }
  }
}
