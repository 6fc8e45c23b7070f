import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { type QueueName, queues as queueMeanings } from '../../../shared/contract/queues.ts';
import type { Watched } from '../../watched.ts';
import { everyOne, graph, ofAws, period, type Section } from './graph.ts';

/** What is asked first at night: do people get through, do events come in and go out, and where do they wait. */
export function eventSections({ stage, service }: Watched): Section[] {
  const of = { ApiName: namesOf(stage).api };
  const ofApi = (metricName: string, statistic: string, label: string) =>
    ofAws('ApiGateway', metricName, { statistic, label, of });
  const every = (name: Parameters<typeof everyOne>[1], statistic = 'Sum') => everyOne(stage, name, statistic);
  const { queues } = service;
  const names = Object.keys(queueMeanings) as QueueName[];
  return [
    {
      question: 'Do people get through?',
      graphs: [
        graph('Requests', {
          metrics: [ofApi('Count', 'Sum', 'all'), ofApi('4XXError', 'Sum', '4xx')],
          unit: 'requests',
          right: [ofApi('5XXError', 'Sum', '5xx')],
          rightUnit: '5xx',
        }),
        graph('Time to answer', {
          metrics: ['p50', 'p90', 'p99'].map((statistic) => ofApi('Latency', statistic, statistic)),
          unit: 'ms',
        }),
        graph('Faults logged, by function', { metrics: [every('Faults')], unit: 'faults' }),
      ],
    },
    {
      question: 'Do events come in?',
      graphs: [
        graph('Accepted and minted', { metrics: [every('EventsAccepted'), every('UinsMinted')], unit: 'events, UINs' }),
        graph('Searches refused', { metrics: [every('SearchesRefused')], unit: 'searches' }),
        graph('Conversions of documents', {
          metrics: [every('ConversionTime', 'p90')],
          unit: 'ms, p90',
          right: [every('ConversionTime', 'SampleCount')],
          rightUnit: 'documents',
        }),
      ],
    },
    {
      question: 'Do they go out?',
      graphs: [
        graph('From publication to the first attempt', {
          metrics: [every('FirstAttemptLag', 'p50'), every('FirstAttemptLag', 'p99')],
          unit: 'ms, p50 and p99',
        }),
        graph('Attempts, by what became of them', { metrics: [every('Attempts')], unit: 'attempts' }),
        graph('Time of receivers that accept', { metrics: [every('DeliveryTime', 'p90')], unit: 'ms, p90' }),
        graph('First attempts that fail', { metrics: [every('FirstAttemptsFailed')], unit: 'attempts' }),
        graph('Failed for good', { metrics: [every('DeliveriesFailed')], unit: 'deliveries' }),
        graph('Oldest that is due', { metrics: [every('OldestDue', 'Maximum')], unit: 's' }),
      ],
    },
    {
      question: 'Where do they wait?',
      graphs: [
        graph('Age of the oldest, by queue', {
          metrics: names.map((name) =>
            queues.byName[name].metricApproximateAgeOfOldestMessage({ period, label: name, statistic: 'Maximum' }),
          ),
          unit: 's',
        }),
        graph('How long the import whose turn it is stands', { metrics: [every('ImportIdle', 'Maximum')], unit: 's' }),
        graph('Waiting, by queue', {
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
