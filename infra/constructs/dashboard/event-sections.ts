import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { type QueueName, queues as queueMeanings } from '../../../shared/contract/queue-names.ts';
import type { Monitored } from '../monitored.ts';
import { awsMetric, eachDimension, graph, period, type Section } from './graph.ts';

/** Returns the dashboard sections on requests, incoming events, deliveries and queues. */
export function eventSections({ stage, service }: Monitored): Section[] {
  const of = { ApiName: namesOf(stage).api };
  const ofApi = (metricName: string, statistic: string, label: string) =>
    awsMetric('ApiGateway', metricName, { statistic, label, of });
  const every = (name: Parameters<typeof eachDimension>[1], statistic = 'Sum') => eachDimension(stage, name, statistic);
  const { queues } = service;
  const names = Object.keys(queueMeanings) as QueueName[];
  return [
    {
      question: 'Do requests succeed?',
      graphs: [
        graph('Requests', {
          metrics: [ofApi('Count', 'Sum', 'all'), ofApi('4XXError', 'Sum', '4xx')],
          unit: 'requests',
          right: [ofApi('5XXError', 'Sum', '5xx')],
          rightUnit: '5xx',
        }),
        graph('Response time', {
          metrics: ['p50', 'p90', 'p99'].map((statistic) => ofApi('Latency', statistic, statistic)),
          unit: 'ms',
        }),
        graph('Internal errors, by function', { metrics: [every('Faults')], unit: 'faults' }),
      ],
    },
    {
      question: 'Do events arrive?',
      graphs: [
        graph('Accepted events and issued UINs', {
          metrics: [every('EventsAccepted'), every('UinsMinted')],
          unit: 'events, UINs',
        }),
        graph('Rejected searches', { metrics: [every('SearchesRefused')], unit: 'searches' }),
        graph('Document conversions', {
          metrics: [every('ConversionTime', 'p90')],
          unit: 'ms, p90',
          right: [every('ConversionTime', 'SampleCount')],
          rightUnit: 'documents',
        }),
      ],
    },
    {
      question: 'Are events delivered?',
      graphs: [
        graph('Time from publication to the first attempt', {
          metrics: [every('FirstAttemptLag', 'p50'), every('FirstAttemptLag', 'p99')],
          unit: 'ms, p50 and p99',
        }),
        graph('Attempts, by outcome', { metrics: [every('Attempts')], unit: 'attempts' }),
        graph('Response time of successful attempts', { metrics: [every('DeliveryTime', 'p90')], unit: 'ms, p90' }),
        graph('Failed first attempts', { metrics: [every('FirstAttemptsFailed')], unit: 'attempts' }),
        graph('Deliveries failed for good', { metrics: [every('DeliveriesFailed')], unit: 'deliveries' }),
        graph('Age of the oldest due work', { metrics: [every('OldestDue', 'Maximum')], unit: 's' }),
      ],
    },
    {
      question: 'Where do messages wait?',
      graphs: [
        graph('Age of the oldest message, by queue', {
          metrics: names.map((name) =>
            queues.byName[name].metricApproximateAgeOfOldestMessage({ period, label: name, statistic: 'Maximum' }),
          ),
          unit: 's',
        }),
        graph('Time since the current import last made progress', {
          metrics: [every('ImportIdle', 'Maximum')],
          unit: 's',
        }),
        graph('Waiting messages, by queue', {
          metrics: names.map((name) =>
            queues.byName[name].metricApproximateNumberOfMessagesVisible({ period, label: name, statistic: 'Maximum' }),
          ),
          unit: 'messages',
        }),
        graph('Dead letters, by queue', {
          metrics: names.map((name) =>
            queues.deadLetters[name].metricApproximateNumberOfMessagesVisible({
              period,
              label: name,
              statistic: 'Maximum',
            }),
          ),
          unit: 'messages',
        }),
      ],
    },
  ];
}
