import { authorizer } from '../../shared/contract/authorizer.ts';
import type { Job } from '../../shared/contract/background-functions.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { metrics } from '../../shared/contract/metrics.ts';
import { queues } from '../../shared/contract/queue-names.ts';
import { workerLanes } from '../../shared/contract/workers.ts';
import { internalErrors } from '../../shared/domain/internal-errors.ts';
import type { JournalField } from '../../shared/domain/journal/journal-row.ts';
import { alarmKinds } from '../constructs/alarm-kinds/alarm-kinds.ts';
import { serviceStatements } from '../constructs/key-policy.ts';
import { settingGroups } from '../settings/settings.ts';
import { daysText } from './retention/days.ts';
import { placeText, retention } from './retention/retention.ts';

/** An entry of a subject: the entry's name, and its properties in the order in which they are printed. */
type Entry = readonly [name: string, properties: Readonly<Record<string, string>>];

const list = (words: readonly string[]): string => [...new Set(words)].join(', ');

function callerOf({ everyMinutes }: Job): string {
  if (everyMinutes === undefined) return 'an operator';
  return everyMinutes === 1 ? 'a schedule, every minute' : `a schedule, every ${everyMinutes} minutes`;
}

const functions = [
  ...endpoints.map((one) => ({ ...one, name: one.operation, caller: `${one.method} ${one.path}` })),
  ...workerLanes.map((one) => ({ ...one, name: one.lane, caller: `queue ${one.queue}` })),
  ...(jobs as readonly Job[]).map((one) => ({ ...one, name: one.job, caller: callerOf(one) })),
  { name: authorizer.name, caller: 'every route below /v1', uses: [], impact: authorizer.impact },
];

/** The meaning of every field in a journal row. The `exportedIn` field is added when the journal is read. */
const journalMeanings: Readonly<Record<JournalField | 'exportedIn', string>> = {
  at: 'the time of the request, in UTC; for an event, the time when it was published',
  operation: 'the API operation or job; for an event, publishEvent',
  requestId: 'the request id in the log; for an event, the message id',
  caller: 'the caller (token issuer and client), `operator` for a job, or the publisher of an event; empty if unknown',
  purpose: "the purpose in the caller's words (header purpose)",
  uin: "the person; missing if a search found no match, or if a caller's requests were read",
  names: 'the names of the attributes that were returned or compared; attribute values are never stored',
  unknownNames: 'the number of requested names that are not attributes of this registry',
  by: 'attributes in the search',
  doctype: 'for a document: its type',
  formerUin: "the person's former UIN, under which the document is stored",
  event: 'for an event, one of the 16 event types of OSIA',
  topic: 'for an event: its topic',
  ofCaller: 'the caller whose requests were read',
  exportedIn:
    'for an event, the file with its exported recipients; missing if the event has no recipients, or until the export is due',
};

/** The output of `npm run describe`, by subject. */
export const subjects: Readonly<Record<string, readonly Entry[]>> = {
  alarms: Object.entries(alarmKinds).map(([alarm, { severity, condition, impact, check }]) => [
    alarm,
    { urgency: severity === 'now' ? 'now' : 'next working day', condition, impact, check: check.join('; ') },
  ]),
  functions: functions.map(({ name, caller, impact, uses }) => [
    name,
    { 'called by': caller, 'while it fails': impact, 'may use': list(uses) },
  ]),
  logs: Object.entries(internalErrors).map(([error, { message, ids }]) => [
    error,
    { meaning: message, 'logged with': list(ids) },
  ]),
  metrics: Object.entries(metrics).map(([metric, { unit, by, meaning, from }]) => [
    metric,
    { meaning, unit, dimension: by, 'logged by': from === 'all' ? 'every function' : list(from) },
  ]),
  settings: settingGroups.flatMap(({ topic, group }) =>
    Object.entries(group).map(
      ([setting, { default: value, meaning }]): Entry => [setting, { meaning, default: value, group: topic }],
    ),
  ),
  journal: Object.entries(journalMeanings).map(([field, meaning]) => [field, { meaning }]),
  retention: retention.map((kept) => [
    placeText(kept),
    {
      contains: kept.what,
      about: kept.about,
      kept: kept.days === undefined ? `until ${kept.ends}` : `${daysText(kept.days)} ${kept.ends}`,
    },
  ]),
  keyPolicy: serviceStatements({
    ...{ partition: 'aws', region: 'REGION', account: 'ACCOUNT', urlSuffix: 'amazonaws.com' },
  }).map((statement): Entry => [statement.Sid, { statement: JSON.stringify(statement) }]),
  queues: Object.entries(queues).map(([queue, contents]) => [
    queue,
    {
      contains: contents,
      'read by': list(workerLanes.filter((lane) => lane.queue === queue).map(({ lane }) => lane)),
    },
  ]),
};
