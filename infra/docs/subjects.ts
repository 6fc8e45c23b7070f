import { authorizer } from '../../shared/contract/authorizer.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import type { Job } from '../../shared/contract/job.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { metrics } from '../../shared/contract/metrics.ts';
import { queues } from '../../shared/contract/queue-names.ts';
import { workerLanes } from '../../shared/contract/workers.ts';
import { internalErrors } from '../../shared/domain/internal-errors.ts';
import { settingGroups } from '../settings/settings.ts';
import { daysText } from './retention/days.ts';
import { placeText, retention } from './retention/retention.ts';

/** An entry of a subject: its name, and its properties in the order in which they are printed. */
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

/** What `npm run describe` prints, by subject. */
export const subjects: Readonly<Record<string, readonly Entry[]>> = {
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
  retention: retention.map((kept) => [
    placeText(kept),
    {
      contains: kept.what,
      about: kept.about,
      kept: kept.days === undefined ? `until ${kept.ends}` : `${daysText(kept.days)} ${kept.ends}`,
    },
  ]),
  queues: Object.entries(queues).map(([queue, contents]) => [
    queue,
    {
      contains: contents,
      'read by': list(workerLanes.filter((lane) => lane.queue === queue).map(({ lane }) => lane)),
    },
  ]),
};
