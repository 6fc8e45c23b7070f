import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { exportDeliveries, exportJournal, sweep } from '../../../shared/contract/jobs.ts';
import { metrics } from '../../../shared/contract/metrics.ts';
import { type QueueName, queues as queueMeanings } from '../../../shared/contract/queues.ts';
import { importChanges } from '../../../shared/contract/workers/persons-workers.ts';
import type { Watched } from '../../watched.ts';
import { ownMetric } from '../own-metric.ts';
import { period, type Ring } from './add-alarm.ts';
import { crashAlarm } from './request-alarms.ts';

/** The minutes after which a lane stands still; a retry waits in its queue by intent. */
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

// So many runs of a job that end without an answer, within one period, are no accident.
const crashes = 3;

/** Whether events go out: the lanes, what is put aside, receivers, and the jobs of the clock. */
export function deliveryAlarms(ring: Ring, { stage, service: { queues, workers, jobs } }: Watched): void {
  for (const working of workers.functions) crashAlarm(ring, working);
  for (const [name, minutes] of Object.entries(standstillMinutes) as [QueueName, number][]) {
    ring('laneStands', {
      of: name,
      says: `In the queue ${name} (${queueMeanings[name]}) something has waited for ${minutes} minutes.`,
      metric: queues.byName[name].metricApproximateAgeOfOldestMessage({ period }),
      threshold: minutes * 60,
    });
  }
  for (const [name, queue] of Object.entries(queues.deadLetters)) {
    ring('deadLetters', {
      of: name,
      says: `Of ${queueMeanings[name as QueueName]}.`,
      metric: queue.metricApproximateNumberOfMessagesVisible({ period }),
      threshold: 1,
    });
  }
  receiverAlarms(ring, stage);
  ring('importStands', {
    metric: ownMetric('ImportIdle', { stage, of: importChanges.worker, statistic: 'Maximum', period }),
    threshold: 3600,
  });
  ring('workIsLate', {
    metric: ownMetric('OldestDue', { stage, of: sweep.job, statistic: 'Maximum', period }),
    threshold: 3600,
    times: 2,
  });
  for (const { job, lambda } of jobs.entries) {
    // One that runs more rarely than the alarm counts rings where nothing comes of it.
    if (job.everyMinutes === undefined || job.everyMinutes * crashes > period.toMinutes()) continue;
    ring('jobCrashes', {
      of: job.job,
      says: `${job.job} ends without an answer. ${job.impact}`,
      metric: lambda.metricErrors({ period }),
      threshold: crashes,
      times: 2,
    });
  }
  ring('sweepMissing', {
    metric: jobs.lambdaOf(sweep).metricInvocations({ period }),
    threshold: 1,
    times: 3,
    isLeast: true,
  });
  for (const { job, impact } of [exportJournal, exportDeliveries]) {
    ring('journalNotExported', {
      of: job,
      says: `${job} is behind, or does not run. ${impact}`,
      metric: ownMetric('OldestDue', { stage, of: job, statistic: 'Maximum', period: Duration.hours(1) }),
      threshold: 6 * 3600,
      times: 3,
      isSteady: true,
    });
  }
}

function receiverAlarms(ring: Ring, stage: string): void {
  for (const lane of metrics.FirstAttemptsFailed.from) {
    const failed = ownMetric('FirstAttemptsFailed', { stage, of: lane, statistic: 'Sum', period });
    // Every first attempt has a lag.
    const made = ownMetric('FirstAttemptLag', { stage, of: lane, statistic: 'SampleCount', period });
    ring('receiversFail', {
      of: lane,
      says: `Of ${lane}.`,
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
    ring('deliveriesGivenUp', {
      of: name,
      says: `By ${name}.`,
      metric: ownMetric('DeliveriesFailed', { stage, of: name, statistic: 'Sum', period: Duration.days(1) }),
      threshold: 100,
    });
  }
}
