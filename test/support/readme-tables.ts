import { authorizer } from '../../shared/contract/authorizer.ts';
import { builtEndpoints } from '../../shared/contract/endpoints.ts';
import { settings } from '../../shared/contract/settings.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import { workers } from '../../shared/contract/workers.ts';
import { refusals } from '../../shared/model/refusals.ts';

const code = (text: string): string => `\`${text}\``;
const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const none = '–';
const list = (words: readonly string[]): string => words.map(code).join(' ') || none;

/** The tables of README.md, made from the contract. */
export const readmeTables = {
  functions: table(
    ['function', 'called by', 'scope (any of)', 'may use', 'while it fails'],
    [
      ...builtEndpoints.map(({ operation, method, path, scopes, uses, impact }) => [
        code(operation),
        code(`${method} ${path}`),
        list(scopes),
        list(uses),
        impact,
      ]),
      ...workers.map(({ worker, queue, uses, impact }) => [
        code(worker),
        `queue ${code(queue)}`,
        none,
        list(uses),
        impact,
      ]),
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
