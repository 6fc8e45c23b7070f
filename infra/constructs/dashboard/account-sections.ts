import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { authorizer } from '../../../shared/contract/authorizer.ts';
import { type TableName, tables as tableShapes } from '../../../shared/contract/tables.ts';
import type { Watched } from '../../watched.ts';
import { tableDimensions } from '../table-dimensions.ts';
import { everyOne, graph, ofAws, period, type Section } from './graph.ts';

type Service = Watched['service'];

/** A metric of each table, and of each of its indexes. */
const ofTables = ({ tables }: Service, metricName: string, hasIndexes: boolean): Metric[] =>
  (Object.keys(tableShapes) as TableName[]).flatMap((name) =>
    [...tableDimensions(tables, name)]
      .filter(([label]) => hasIndexes || label === name)
      .map(([label, of]) => ofAws('DynamoDB', metricName, { statistic: 'Sum', label, of })),
  );

/** What AWS has limits for, who is let in, and what it costs. */
export function accountSections({ stage, service }: Watched): Section[] {
  const { authorize } = service.api;
  const ofLambda = (metricName: string, statistic: string) => ofAws('Lambda', metricName, { statistic });
  const ofMail = (metricName: string, statistic: string) => ofAws('SES', metricName, { statistic });
  const sums = (metricName: 'invocations' | 'duration') =>
    [...service.api.functions, ...service.workers.functions, ...service.jobs.functions, authorize].map(({ lambda }) => {
      const options = { period, statistic: 'Sum', label: lambda.node.id };
      return metricName === 'invocations' ? lambda.metricInvocations(options) : lambda.metricDuration(options);
    });
  return [
    {
      question: 'Does AWS hold them back?',
      graphs: [
        graph('Lambda, the whole account', {
          metrics: [ofLambda('ConcurrentExecutions', 'Maximum')],
          unit: 'functions at once',
          right: [ofLambda('Throttles', 'Sum')],
          rightUnit: 'refused',
        }),
        graph('Reads throttled, by table and index', {
          metrics: ofTables(service, 'ReadThrottleEvents', true),
          unit: 'reads',
        }),
        graph('Writes throttled, by table and index', {
          metrics: ofTables(service, 'WriteThrottleEvents', true),
          unit: 'writes',
        }),
      ],
    },
    {
      question: 'Does mail go out?',
      graphs: [
        graph('Mails', { metrics: [ofMail('Send', 'Sum'), ofMail('Delivery', 'Sum')], unit: 'mails' }),
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
      question: 'Who is let in?',
      graphs: [
        graph('Callers refused, by reason', { metrics: [everyOne(stage, 'CallersRefused', 'Sum')], unit: 'requests' }),
        graph(`Invocations of ${authorizer.name}`, {
          metrics: [
            authorize.lambda.metricInvocations({ period, label: 'all' }),
            authorize.lambda.metricErrors({ period, label: 'refused, or failed' }),
          ],
          unit: 'invocations',
        }),
        graph(`Time of ${authorizer.name}`, {
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
        graph('Time paid for, by function', { metrics: sums('duration'), unit: 'ms' }),
        graph('Units of DynamoDB, by table', {
          metrics: ofTables(service, 'ConsumedWriteCapacityUnits', false),
          unit: 'write units',
          right: ofTables(service, 'ConsumedReadCapacityUnits', false),
          rightUnit: 'read units',
        }),
      ],
    },
  ];
}
