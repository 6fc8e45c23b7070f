import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { type MetricName, metrics } from '../../../shared/contract/metrics.ts';
import { type TableName, tables } from '../../../shared/contract/tables.ts';
import { settingValue } from '../../settings/settings.ts';
import type { Monitored } from '../monitored.ts';
import { tableDimensions } from '../monitored.ts';
import { type AddAlarm, period } from './add-alarm.ts';

const name: MetricName = 'Faults';
// The dimension names need quotes because `Function` is a keyword in Metrics Insights.
const by = `"${metrics[name].by}"`;

/** Adds alarms for internal errors, and for the AWS limits that apply to functions, tables and email. */
export function accountAlarms(addAlarm: AddAlarm, { stage, settings, service }: Monitored): void {
  // One query reads the internal errors of all functions, and reports each function separately. Metric math cannot sum
  // metrics that have few data points.
  const faults = (of: Duration) =>
    new MathExpression({
      expression: `SELECT SUM(${name}) FROM SCHEMA("${namesOf(stage).metrics}", ${by}) GROUP BY ${by}`,
      period: of,
      label: name,
    });
  addAlarm('manyInternalErrors', { metric: faults(period), threshold: 10, times: 2 });
  addAlarm('internalErrorOccurred', { metric: faults(Duration.hours(1)), threshold: 1 });

  const ofLambda = (metricName: string, statistic: string) =>
    new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period });
  addAlarm('lambdaThrottles', { metric: ofLambda('Throttles', 'Sum'), threshold: 50, times: 2 });

  addAlarm('concurrencyNear', {
    metric: ofLambda('ConcurrentExecutions', 'Maximum'),
    threshold: Math.ceil(0.8 * settingValue(settings, 'concurrency')),
    times: 2,
  });

  for (const table of Object.keys(tables) as TableName[]) {
    const readers = table === 'journal' ? ' Every read of a person waits until its journal row is written.' : '';
    for (const metricName of ['ReadThrottleEvents', 'WriteThrottleEvents']) {
      addAlarm('tableThrottles', {
        of: `${table}-${metricName}`,
        subject: `Table ${table} or one of its indexes: ${metricName}.${readers}`,
        metric: highestOf(metricName, [...tableDimensions(service.tables, table).values()]),
        threshold: 100,
        times: 3,
      });
    }
  }

  const ofMail = (metricName: string, statistic: string, over: Duration) =>
    new Metric({ namespace: 'AWS/SES', metricName, statistic, period: over });
  const rate = (metricName: string) => ofMail(metricName, 'Average', Duration.hours(1));
  addAlarm('mailBounces', { metric: rate('Reputation.BounceRate'), threshold: 0.05 });
  addAlarm('mailComplaints', { metric: rate('Reputation.ComplaintRate'), threshold: 0.001 });
  addAlarm('mailQuota', {
    metric: ofMail('Send', 'Sum', Duration.days(1)),
    threshold: Math.ceil(0.8 * settingValue(settings, 'emailsPerDay')),
  });
  certificateAlarm(addAlarm, settingValue(settings, 'certificateArn'));
}

/** Returns a metric whose value is the highest of the counts for a table and for each of its indexes. */
function highestOf(metricName: string, dimensions: readonly Record<string, string>[]): IMetric {
  const counts = dimensions.map(
    (dimensionsMap) => new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: 'Sum', period }),
  );
  const [only, ...others] = counts;
  if (only !== undefined && others.length === 0) return only;
  const usingMetrics = Object.fromEntries(counts.map((count, at) => [`count${at}`, count]));
  return new MathExpression({
    expression: `MAX([${Object.keys(usingMetrics)
      .map((id) => `FILL(${id}, 0)`)
      .join(', ')}])`,
    usingMetrics,
    period,
    label: metricName,
  });
}

function certificateAlarm(addAlarm: AddAlarm, certificateArn: string): void {
  if (certificateArn === '') return;
  const days = new Metric({
    namespace: 'AWS/CertificateManager',
    metricName: 'DaysToExpiry',
    dimensionsMap: { CertificateArn: certificateArn },
    statistic: 'Minimum',
    period: Duration.days(1),
  });
  addAlarm('certificateNear', {
    metric: new MathExpression({
      expression: 'IF(days < 30, 1, 0)',
      usingMetrics: { days },
      period: Duration.days(1),
      label: 'less than 30 days left',
    }),
    threshold: 1,
  });
}
