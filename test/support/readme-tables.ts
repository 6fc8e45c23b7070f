import { authorizer } from '../../shared/contract/authorizer.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import type { Job } from '../../shared/contract/job.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { settings } from '../../shared/contract/settings.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import { workerLanes } from '../../shared/contract/workers.ts';
import { refusals } from '../../shared/model/refusals.ts';

const code = (text: string): string => `\`${text}\``;

/** A table as the formatter leaves it: every column as wide as its widest cell. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const dashes = widths.map((width) => '-'.repeat(width));
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [head, dashes, ...rows].map(line).join('\n');
}

const none = '–';
const list = (words: readonly string[]): string => words.map(code).join(' ') || none;
const callerOf = ({ everyMinutes }: Job): string => {
  if (everyMinutes === undefined) return 'an operator';
  return everyMinutes === 1 ? 'the clock, every minute' : `the clock, every ${everyMinutes} minutes`;
};

/** The tables of README.md, made from the contract. */
export const readmeTables = {
  functions: table(
    ['function', 'called by', 'scope (any of)', 'may use', 'while it fails'],
    [
      ...endpoints.map(({ operation, method, path, scopes, uses, impact }) => [
        code(operation),
        code(`${method} ${path}`),
        list(scopes),
        list(uses),
        impact,
      ]),
      ...workerLanes.map(({ lane, queue, uses, impact }) => [
        code(lane),
        `queue ${code(queue)}`,
        none,
        list(uses),
        impact,
      ]),
      ...(jobs as readonly Job[]).map((one) => [code(one.job), callerOf(one), none, list(one.uses), one.impact]),
      [code(authorizer.name), 'every route below `/v1`', none, none, authorizer.impact],
    ],
  ),
  settings: table(
    ['setting', 'default', 'meaning'],
    Object.entries(settings).map(([name, setting]) => [
      code(name),
      setting.default === '' ? none : code(setting.default),
      setting.meaning,
    ]),
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
      ...[...new Set(Object.values(personIndexes).map(({ partition }) => partition))].map((partition) => [
        `${code(partition)} alone`,
        code(Object.entries(personIndexes).find(([, index]) => index.partition === partition)?.[0] ?? ''),
        'the matches',
      ]),
    ],
  ),
  refusals: table(
    ['code', 'status', 'meaning'],
    Object.values(refusals).map(({ code: number, status, meaning }) => [String(number), String(status), meaning]),
  ),
};
