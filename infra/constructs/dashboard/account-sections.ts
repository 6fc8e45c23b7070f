import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { authorizer } from '../../../shared/contract/authorizer.ts';
import { type TableName, tables as tableShapes } from '../../../shared/contract/tables.ts';
import type { Monitored } from '../monitored.ts';
import { tableDimensions } from '../monitored.ts';
import { awsMetric, eachDimension, graph, period, type Section } from './graph.ts';

type Service = Monitored['service'];

const ofTables = ({ tables }: Service, metricName: string, hasIndexes: boolean): Metric[] =>
  (Object.keys(tableShapes) as TableName[]).flatMap((name) =>
    [...tableDimensions(tables, name)]
      .filter(([label]) => hasIndexes || label === name)
      .map(([label, of]) => awsMetric('DynamoDB', metricName, { statistic: 'Sum', label, of })),
  );

/** Returns the dashboard sections on AWS limits, access and cost. */
export function accountSections({ stage, service }: Monitored): Section[] {
  const { authorize } = service.api;
  const ofLambda = (metricName: string, statistic: string) => awsMetric('Lambda', metricName, { statistic });
  const ofMail = (metricName: string, statistic: string) => awsMetric('SES', metricName, { statistic });
  const sums = (metricName: 'invocations' | 'duration') =>
    [...service.api.functions, ...service.workers.functions, ...service.jobs.functions, authorize].map(({ lambda }) => {
      const options = { period, statistic: 'Sum', label: lambda.node.id };
      return metricName === 'invocations' ? lambda.metricInvocations(options) : lambda.metricDuration(options);
    });
  return [
    {
      question: 'Does AWS throttle?',
      graphs: [
        graph('Lambda, the whole account', {
          metrics: [ofLambda('ConcurrentExecutions', 'Maximum')],
          unit: 'concurrent executions',
          right: [ofLambda('Throttles', 'Sum')],
          rightUnit: 'refused',
        }),
        graph('Read throttles, by table and index', {
          metrics: ofTables(service, 'ReadThrottleEvents', true),
          unit: 'reads',
        }),
        graph('Write throttles, by table and index', {
          metrics: ofTables(service, 'WriteThrottleEvents', true),
          unit: 'writes',
        }),
      ],
    },
    {
      question: 'Are emails sent?',
      graphs: [
        graph('Emails', { metrics: [ofMail('Send', 'Sum'), ofMail('Delivery', 'Sum')], unit: 'emails' }),
        graph('Bounces: SES reviews from 5 %', {
          metrics: [ofMail('Reputation.BounceRate', 'Maximum')],
          unit: 'of 1',
        }),
        graph('Complaints: SES reviews from 0.1 %', {
          metrics: [ofMail('Reputation.ComplaintRate', 'Maximum')],
          unit: 'of 1',
        }),
      ],
    },
    {
      question: 'Who gets access?',
      graphs: [
        graph('Rejected callers, by reason', {
          metrics: [eachDimension(stage, 'CallersRefused', 'Sum')],
          unit: 'requests',
        }),
        graph(`Invocations of ${authorizer.name}`, {
          metrics: [
            authorize.lambda.metricInvocations({ period, label: 'all' }),
            authorize.lambda.metricErrors({ period, label: 'rejected or failed' }),
          ],
          unit: 'invocations',
        }),
        graph(`Duration of ${authorizer.name}`, {
          metrics: ['p50', 'p99'].map((statistic) =>
            authorize.lambda.metricDuration({ period, statistic, label: statistic }),
          ),
          unit: 'ms',
        }),
      ],
    },
    {
      question: 'What does it cost?',
      graphs: [
        graph('Invocations, by function', { metrics: sums('invocations'), unit: 'invocations' }),
        graph('Billed time, by function', { metrics: sums('duration'), unit: 'ms' }),
        graph('DynamoDB units, by table', {
          metrics: ofTables(service, 'ConsumedWriteCapacityUnits', false),
          unit: 'write units',
          right: ofTables(service, 'ConsumedReadCapacityUnits', false),
          rightUnit: 'read units',
        }),
      ],
    },
  ];
}
