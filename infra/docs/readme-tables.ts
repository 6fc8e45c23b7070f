import { authorizer } from '../../shared/contract/authorizer.ts';
import { methodsOf } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import type { Job } from '../../shared/contract/job.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { jsonSchema } from '../../shared/contract/json-schema.ts';
import { metrics } from '../../shared/contract/metrics.ts';
import { queues } from '../../shared/contract/queues.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import { workerLanes } from '../../shared/contract/workers.ts';
import { channelOf, type Lane } from '../../shared/domain/deliveries/channels.ts';
import { protocols } from '../../shared/domain/subscriptions/subscription.ts';
import { eventSchema, eventTypes } from '../../shared/domain/topics/event.ts';
import { faults } from '../../shared/model/faults.ts';
import { refusals } from '../../shared/model/refusals.ts';
import type { AlarmKind } from '../alarm-kinds/alarm-kind.ts';
import { alarmKinds } from '../constructs/alarm-kinds/alarm-kinds.ts';
import { costs } from '../costs.ts';
import { journalMeanings } from '../journal-meanings.ts';
import { placeText } from '../retention/place-text.ts';
import { retention } from '../retention/retention.ts';
import { settingPrices } from '../settings/setting-prices.ts';
import { settings } from '../settings/settings.ts';
import { faultPromises } from './fault-promises.ts';
import { markdownTable as table } from './markdown-table.ts';
import { pricesOf } from './prices.ts';
import { daysText } from './retention/days.ts';

const none = '–';
const code = (text: string): string => `\`${text}\``;
const list = (words: readonly string[]): string => words.map(code).join(' ') || none;

function callerOf({ everyMinutes }: Job): string {
  if (everyMinutes === undefined) return 'an operator';
  return everyMinutes === 1 ? 'the clock, every minute' : `the clock, every ${everyMinutes} minutes`;
}

/** Every function that is deployed: its name, who calls it, what it may use, and who is hurt while it fails. */
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

/** The fields of an event type's body that must be there, or may be; `source`, which every event has, is left out. */
function fieldsOf(type: (typeof eventTypes)[number], isRequired: boolean): string[] {
  const { properties, required } = jsonSchema(eventSchema(type)) as { properties: object; required: string[] };
  return Object.keys(properties).filter((name) => name !== 'source' && required.includes(name) === isRequired);
}

const laneQueue = (protocol: (typeof protocols)[number], lane: Lane): string => code(channelOf(protocol).lanes[lane]);

const partitions = [...new Set(Object.values(personIndexes).map(({ partition }) => partition))];
const firstOf = (wanted: string): string =>
  Object.entries(personIndexes).find(([, { partition }]) => partition === wanted)?.[0] ?? '';

const dollarsAt = `dollars, us-east-1, list prices of ${costs.pricesOf}`;
const unlessNone = (count: number): string => (count === 0 ? none : String(count));

/** The tables and lists of the READMEs, by file and name, made from the code that they describe. */
export const readmeTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'functions/README.md': {
    operations: table(
      ['call', 'operation', 'scope (any of)'],
      endpoints.map((endpoint) => [
        code(`${methodsOf(endpoint).join(', ')} ${endpoint.path}`),
        code(endpoint.operation),
        list(endpoint.scopes),
      ]),
    ),
    refusals: table(
      ['code', 'status', 'meaning'],
      Object.values(refusals).map(({ code: number, status, meaning }) => [String(number), String(status), meaning]),
    ),
    events: table(
      ['event type', 'required', 'optional'],
      eventTypes.map((type) => [code(type), list(fieldsOf(type, true)), list(fieldsOf(type, false))]),
    ),
    plans: table(
      ['search by', 'takes', 'reads'],
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
    settings: table(
      ['setting', 'default', 'meaning'],
      Object.entries(settings).map(([name, setting]) => [
        code(name),
        setting.default === '' ? none : code(setting.default),
        setting.meaning,
      ]),
    ),
    retention: table(
      ['what', 'where', 'tells of', 'days', 'which count from, or what ends it'],
      retention.map((kept) => [kept.what, placeText(kept), kept.of, daysText(kept.days), kept.ends]),
    ),
    settingPrices: table(
      [`us-east-1, list prices of ${pricesOf}`, 'dollars a month', 'and by use'],
      settingPrices.map((row) => [...row]),
    ),
    cost: table(
      ['what', dollarsAt],
      costs.work.map(({ what, dollars }) => [what, dollars]),
    ),
    costOfYear: table(
      [costs.year.of, dollarsAt],
      [...costs.year.rows.map(({ what, dollars }) => [what, dollars]), ['**together**', `**${costs.year.together}**`]],
    ),
  },
  'infra/docs/COSTS.md': {
    operations: table(
      ['a million of', 'which', 'calls of DynamoDB', 'of S3', 'ms', 'KB answered', dollarsAt],
      costs.operations.map(({ operation, of, dynamodb, s3, milliseconds, kilobytes, million }) => [
        ...[code(operation), of, unlessNone(dynamodb), unlessNone(s3)],
        ...[String(milliseconds), unlessNone(kilobytes), million],
      ]),
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
      ['metric', 'unit', 'by', 'is', 'told by'],
      Object.entries(metrics).map(([name, { unit, by, meaning, from }]) => [
        code(name),
        unit,
        code(by),
        meaning,
        from === 'all' ? 'every function' : list(from),
      ]),
    ),
    journal: table(
      ['field', 'says'],
      Object.entries(journalMeanings).map(([name, meaning]) => [code(name), meaning]),
    ),
    faults: table(
      ['fault', 'means', 'told with'],
      Object.entries(faults).map(([name, { message, ids }]) => [code(name), message, list(ids)]),
    ),
    alarms: table(
      ['alarm', 'when to act', 'rings when'],
      Object.values<AlarmKind>(alarmKinds).map(({ severity, title, rings }) => [
        title,
        severity === 'now' ? 'now' : 'next working day',
        rings,
      ]),
    ),
  },
  'shared/delivery/README.md': {
    channels: table(
      ['channel', 'first attempts', 'of large topics', 'later: retries, and what is tried alone', 'confirmations'],
      protocols.map((protocol) => [
        code(protocol),
        laneQueue(protocol, 'first'),
        laneQueue(protocol, 'mass'),
        laneQueue(protocol, 'later'),
        laneQueue(protocol, 'confirmations'),
      ]),
    ),
    queues: table(
      ['queue', 'carries', 'read by'],
      Object.entries(queues).map(([queue, meaning]) => [
        code(queue),
        meaning,
        list(workerLanes.filter((lane) => lane.queue === queue).map(({ lane }) => lane)),
      ]),
    ),
  },
  'test/faults/README.md': {
    ours: [faultPromises('own'), faultPromises('service')].join('\n'),
    receivers: faultPromises('receiver'),
  },
};
