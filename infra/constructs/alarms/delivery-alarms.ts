import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { exportDeliveries, exportJournal, sweep } from '../../../shared/contract/jobs.ts';
import { metrics } from '../../../shared/contract/metrics.ts';
import { type QueueName, queues as queueMeanings } from '../../../shared/contract/queue-names.ts';
import { importChanges } from '../../../shared/contract/workers/registry-workers.ts';
import type { Monitored } from '../monitored.ts';
import { registryMetric } from '../monitored.ts';
import { type AddAlarm, period } from './add-alarm.ts';
import { crashAlarm } from './request-alarms.ts';

/**
 * The number of minutes for which a message may wait before its lane counts as blocked. The `retry` lane has no limit,
 * because it contains tasks that are due later.
 */
const standstillMinutes = {
  fanOut: 15,
  http: 15,
  mass: 30,
  slow: 60,
  httpConfirmations: 30,
  email: 60,
  emailConfirmations: 60,
  mailFeedback: 60,
  documentEvents: 60,
  reindexing: 60,
  imports: 60,
} as const satisfies Partial<Record<QueueName, number>>;

// The number of times that a job must crash in one period to raise the alarm.
const crashes = 3;

/** Adds alarms for lanes, dead letters, receivers, imports and scheduled jobs. */
export function deliveryAlarms(addAlarm: AddAlarm, { stage, service: { queues, workers, jobs } }: Monitored): void {
  for (const working of workers.functions) crashAlarm(addAlarm, working);
  for (const [name, minutes] of Object.entries(standstillMinutes) as [QueueName, number][]) {
    addAlarm('laneBlocked', {
      of: name,
      subject: `A message has waited for ${minutes} minutes in the queue ${name} (${queueMeanings[name]}).`,
      metric: queues.byName[name].metricApproximateAgeOfOldestMessage({ period }),
      threshold: minutes * 60,
    });
  }
  for (const [name, queue] of Object.entries(queues.deadLetters)) {
    addAlarm('deadLetters', {
      of: name,
      subject: `Dead-letter queue for ${queueMeanings[name as QueueName]}.`,
      metric: queue.metricApproximateNumberOfMessagesVisible({ period }),
      threshold: 1,
    });
  }
  receiverAlarms(addAlarm, stage);
  addAlarm('importStuck', {
    metric: registryMetric('ImportIdle', { stage, of: importChanges.worker, statistic: 'Maximum', period }),
    threshold: 3600,
  });
  addAlarm('sweeperBehind', {
    metric: registryMetric('OldestDue', { stage, of: sweep.job, statistic: 'Maximum', period }),
    threshold: 3600,
    times: 2,
  });
  for (const { job, lambda } of jobs.entries) {
    // Jobs that run less often have an alarm on their results instead of an alarm on crashes.
    if (job.everyMinutes === undefined || job.everyMinutes * crashes > period.toMinutes()) continue;
    addAlarm('jobCrashes', {
      of: job.job,
      subject: `${job.job} ends without a result. ${job.impact}`,
      metric: lambda.metricErrors({ period }),
      threshold: crashes,
      times: 2,
    });
  }
  addAlarm('sweepMissing', {
    metric: jobs.lambdaOf(sweep).metricInvocations({ period }),
    threshold: 1,
    times: 3,
    isMinimum: true,
  });
  for (const { job, impact } of [exportJournal, exportDeliveries]) {
    addAlarm('journalNotExported', {
      of: job,
      subject: `${job} is behind or does not run. ${impact}`,
      metric: registryMetric('OldestDue', { stage, of: job, statistic: 'Maximum', period: Duration.hours(1) }),
      threshold: 6 * 3600,
      times: 3,
      isSteady: true,
    });
  }
}

function receiverAlarms(addAlarm: AddAlarm, stage: string): void {
  for (const lane of metrics.FirstAttemptsFailed.from) {
    const failed = registryMetric('FirstAttemptsFailed', { stage, of: lane, statistic: 'Sum', period });
    // Each first attempt records one value of `FirstAttemptLag`, so the sample count is the number of first attempts.
    const made = registryMetric('FirstAttemptLag', { stage, of: lane, statistic: 'SampleCount', period });
    addAlarm('receiversFail', {
      of: lane,
      subject: `Function: ${lane}.`,
      metric: new MathExpression({
        expression: 'IF(failed >= 20 AND failed * 5 >= made, failed, 0)',
        usingMetrics: { failed, made },
        period,
        label: 'first attempts that failed',
      }),
      threshold: 20,
    });
  }
  for (const name of metrics.DeliveriesFailed.from) {
    addAlarm('deliveriesFailed', {
      of: name,
      subject: `Function: ${name}.`,
      metric: registryMetric('DeliveriesFailed', { stage, of: name, statistic: 'Sum', period: Duration.days(1) }),
      threshold: 100,
    });
  }
}
