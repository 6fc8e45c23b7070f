import { authorizer } from '../../shared/contract/authorizer.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import type { Job } from '../../shared/contract/job.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { metrics } from '../../shared/contract/metrics.ts';
import { queues } from '../../shared/contract/queue-names.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import { workerLanes } from '../../shared/contract/workers.ts';
import { channelOf, type Lane } from '../../shared/domain/deliveries/channels.ts';
import { internalErrors } from '../../shared/domain/internal-errors.ts';
import type { JournalField } from '../../shared/domain/journal/journal-row.ts';
import { protocols } from '../../shared/domain/subscriptions/subscription.ts';
import type { AlarmKind } from '../constructs/alarm-kinds/alarm-kind.ts';
import { alarmKinds } from '../constructs/alarm-kinds/alarm-kinds.ts';
import { settingPrices } from '../settings/setting-prices.ts';
import { settingGroups } from '../settings/settings.ts';
import { faultPromises } from './fault-promises.ts';
import { firstHour } from './first-hour.ts';
import { markdownTable as table } from './markdown-table.ts';
import { pricesOf } from './prices.ts';
import { daysText } from './retention/days.ts';
import { placeText, retention } from './retention/retention.ts';

const none = '–';
const code = (text: string): string => `\`${text}\``;
const list = (words: readonly string[]): string => words.map(code).join(' ') || none;

/** The meaning of every field in a journal row. `exportedIn` is added when the journal is read. */
const journalMeanings: Readonly<Record<JournalField | 'exportedIn', string>> = {
  at: 'time in UTC; for an event, when it was published',
  operation: 'the API operation or job; for an event, `publishEvent`',
  requestId: 'the request id in the log; for an event, the message id',
  caller:
    'the caller: issuer of the token and client; `operator` for a job; for an event, its publisher, or empty if unknown',
  purpose: "the purpose in the caller's words (header `purpose`)",
  uin: 'the person; missing if a search found no match, or if the query was about a caller',
  names: 'names of the attributes that were returned or compared, never their values',
  unknownNames: 'how many of the requested names are not attributes of this registry',
  by: 'attributes in the search',
  doctype: 'for a document: its type',
  formerUin: 'the former UIN of the person under which the document is stored',
  event: 'for an event: one of the 16 event types of OSIA',
  topic: 'for an event: its topic',
  ofCaller: 'the caller whose requests were read, if the query was about a caller',
  exportedIn:
    'for an event: the file that lists its recipients after the export; missing if the event has no recipients, or until the export is due',
};

function callerOf({ everyMinutes }: Job): string {
  if (everyMinutes === undefined) return 'an operator';
  return everyMinutes === 1 ? 'a schedule, every minute' : `a schedule, every ${everyMinutes} minutes`;
}

const functions = [
  ...endpoints.map(({ operation, method, path, uses, impact }) => ({
    name: operation,
    caller: code(`${method} ${path}`),
    uses,
    impact,
  })),
  ...workerLanes.map(({ lane, queue, uses, impact }) => ({ name: lane, caller: `queue ${code(queue)}`, uses, impact })),
  ...(jobs as readonly Job[]).map((one) => ({ ...one, name: one.job, caller: callerOf(one) })),
  { name: authorizer.name, caller: 'every route below `/v1`', uses: [], impact: authorizer.impact },
];

const laneQueue = (protocol: (typeof protocols)[number], lane: Lane): string => code(channelOf(protocol).lanes[lane]);

const partitions = [...new Set(Object.values(personIndexes).map(({ partition }) => partition))];
const firstOf = (wanted: string): string =>
  Object.entries(personIndexes).find(([, { partition }]) => partition === wanted)?.[0] ?? '';

export const readmeTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'functions/README.md': firstHour,
  'functions/RULES.md': {
    plans: table(
      ['search by', 'uses', 'reads'],
      [
        [code('uin'), 'the key', 'one row'],
        ...Object.entries(personIndexes).map(([index, { partition, sort }]) => [
          `${code(partition)} with ${code(sort)}`,
          code(index),
          'the matches',
        ]),
        ...partitions.map((partition) => [`${code(partition)} alone`, code(firstOf(partition)), 'the matches']),
      ],
    ),
  },
  'infra/README.md': {
    settings: settingGroups
      .map(({ topic, group }) => {
        const rows = Object.entries(group).map(([name, setting]) => [
          code(name),
          setting.default === '' ? none : code(setting.default),
          setting.meaning,
        ]);
        return `### Settings: ${topic}\n\n${table(['setting', 'default', 'meaning'], rows)}`;
      })
      .join('\n\n'),
    retention: table(
      ['what', 'where', 'about', 'days', 'period begins, or retention ends when'],
      retention.map((kept) => [kept.what, placeText(kept), kept.about, daysText(kept.days), kept.ends]),
    ),
    settingPrices: table(
      [`us-east-1, list prices of ${pricesOf}`, 'dollars a month', 'and per use'],
      settingPrices.map((row) => [...row]),
    ),
  },
  'infra/RUNBOOK.md': {
    functions: table(
      ['function', 'called by', 'while it fails'],
      functions.map(({ name, caller, impact }) => [code(name), caller, impact]),
    ),
    grants: table(
      ['function', 'may use'],
      functions.filter(({ uses }) => uses.length > 0).map(({ name, uses }) => [code(name), list([...new Set(uses)])]),
    ),
    metrics: table(
      ['metric', 'unit', 'dimension', 'meaning', 'logged by'],
      Object.entries(metrics).map(([name, { unit, by, meaning, from }]) => [
        code(name),
        unit,
        code(by),
        meaning,
        from === 'all' ? 'every function' : list(from),
      ]),
    ),
    journal: table(
      ['field', 'meaning'],
      Object.entries(journalMeanings).map(([name, meaning]) => [code(name), meaning]),
    ),
    faults: table(
      ['error', 'meaning', 'logged with'],
      Object.entries(internalErrors).map(([name, { message, ids }]) => [code(name), message, list(ids)]),
    ),
    alarms: table(
      ['alarm', 'when to act', 'condition'],
      Object.values<AlarmKind>(alarmKinds).map(({ severity, title, condition }) => [
        title,
        severity === 'now' ? 'now' : 'next working day',
        condition,
      ]),
    ),
  },
  'shared/delivery/README.md': {
    channels: table(
      ['channel', 'first attempts', 'large topics', 'retries and single deliveries', 'confirmations'],
      protocols.map((protocol) => [
        code(protocol),
        laneQueue(protocol, 'first'),
        laneQueue(protocol, 'mass'),
        laneQueue(protocol, 'later'),
        laneQueue(protocol, 'confirmations'),
      ]),
    ),
    queues: table(
      ['queue', 'contains', 'read by'],
      Object.entries(queues).map(([queue, meaning]) => [
        code(queue),
        meaning,
        list(workerLanes.filter((lane) => lane.queue === queue).map(({ lane }) => lane)),
      ]),
    ),
  },
  'test/faults/README.md': { service: faultPromises('service'), receivers: faultPromises('receiver') },
};
