import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { deliveryFailed } from '../../shared/contract/log-lines.ts';
import { settings } from '../../shared/contract/settings.ts';
import { deliverByEmail, deliveryTimes, workers } from '../../shared/contract/workers.ts';
import { mailTimes } from '../../shared/domain/deliveries/mail-pace.ts';
import type { Bundle } from '../bundle.ts';
import type { DeploymentSettings } from '../settings.ts';
import { grant, type Resources, settingVariables } from './grants.ts';
import { type ServiceFunction, serviceFunction } from './service-function.ts';

const quickSeconds = 30;

// Names are looked up in threads, of which Node.js has 4: a few names whose servers do not answer would hold up everybody.
const lookupThreads = { UV_THREADPOOL_SIZE: '64' } as const;

/** How long the functions of a queue may run, and how long the queue hides what they took. */
export function workerTimes(
  queue: string,
  values: DeploymentSettings,
): { functionSeconds: number; visibilitySeconds: number } {
  if (queue === deliverByEmail.queue) {
    return mailTimes({
      emailsPerSecond: settings.emailsPerSecond.schema.parse(values.emailsPerSecond),
      subscriptionsPerTask: settings.subscriptionsPerTask.schema.parse(values.subscriptionsPerTask),
    });
  }
  const isWaiting = workers.some((worker) => worker.queue === queue && worker.waitsForReceivers);
  if (isWaiting) return deliveryTimes(settings.receiverTimeoutSeconds.schema.parse(values.receiverTimeoutSeconds));
  return { functionSeconds: quickSeconds, visibilitySeconds: 2 * quickSeconds };
}

export interface WorkersProps extends Resources {
  readonly bundleOf: (file: string) => Bundle;
  readonly baseUrl: string;
}

/** The functions behind the queues. */
export class Workers extends Construct {
  readonly functions: ServiceFunction[] = [];

  constructor(scope: Construct, id: string, props: WorkersProps) {
    super(scope, id);
    const values = { ...props.settings, baseUrl: props.baseUrl };
    for (const worker of workers) {
      const working = serviceFunction(this, worker.worker, {
        bundle: props.bundleOf(worker.file),
        description: `Queue worker. While it fails: ${worker.impact}`,
        timeoutSeconds: workerTimes(worker.queue, props.settings).functionSeconds,
        environment: { ...settingVariables(worker.reads, values), ...(worker.waitsForReceivers ? lookupThreads : {}) },
        // A retry goes round through the same functions up to 168 times and more: its policy ends it, not Lambda.
        recursiveLoop: RecursiveLoop.ALLOW,
        impact: worker.impact,
      });
      grant(working.lambda, worker.uses, props);
      working.lambda.addEventSource(
        new SqsEventSource(props.queues.byName[worker.queue], {
          batchSize: worker.batchSize,
          maxConcurrency: worker.maxConcurrency,
          reportBatchItemFailures: true,
        }),
      );
      this.functions.push(working);
      if (!(worker.uses as readonly string[]).includes('ledger:deliver')) continue;
      new MetricFilter(this, `${worker.worker}Failures`, {
        logGroup: working.logs,
        metricNamespace: 'IdentityRegistry',
        metricName: 'DeliveriesFailed',
        filterPattern: FilterPattern.stringValue('$.message.message', '=', deliveryFailed),
        metricValue: '1',
      });
    }
  }
}
