import { buckets } from '../../../shared/contract/buckets.ts';
import { queues } from '../../../shared/contract/queue-names.ts';
import { secrets } from '../../../shared/contract/secret-names.ts';
import { tables } from '../../../shared/contract/tables.ts';
import { OptionError, parseArguments, usageError } from '../command-line.ts';

export const usage = `npm run restore -- --stage STAGE STORE --to TIME [--dry-run]
npm run restore -- --stage STAGE STORE --use NAME
npm run restore -- --stage STAGE TABLE --cancel
npm run restore -- --stage STAGE SECRET [--value FILE]
npm run restore -- --stage STAGE QUEUE

Prints the steps that restore a table, a bucket, a secret or a queue, asks for confirmation, and runs them.
Meanwhile, stops functions that would do harm. Never deletes the old table or bucket. After an interruption, run the
same command again: it continues with the first step that is not done.

  --stage STAGE    the stage, with settings in infra/stages/STAGE.ts
  STORE            a table, such as persons, or the bucket documents; with --use also the exportedJournal bucket
  --to TIME        the restore point: a time with its time zone, such as 2026-11-22T10:00:00Z
  --use NAME       a table or bucket that you restored yourself, for example from AWS Backup
  SECRET, QUEUE    the lost secret or queue, such as signing, retry or retryDeadLetters
  --value FILE     the value of the secret; without it, a secret that no longer exists gets a new random value
  --cancel         ends the restore of a table before its switch: starts the stopped functions
  --dry-run        prints the steps and changes nothing
  --account NUMBER the account that you expect; the command stops if the credentials belong to another account

Uses the credentials of the AWS tools. Uses their Region only if the stage has no setting region.`;

export type Kind = 'table' | 'bucket' | 'secret' | 'queue';

export interface RestoreOptions {
  readonly stage: string;
  readonly kind: Kind;
  /** The name of the table, bucket, secret or queue to restore, as in `shared/contract`. */
  readonly store: string;
  /** The restore point, rounded down to whole seconds. */
  readonly to: Date | undefined;
  /** The name of a resource that the operator has already restored. */
  readonly use: string | undefined;
  /** The path of a file that contains the new value of a secret. */
  readonly value: string | undefined;
  readonly isCancelled: boolean;
  readonly isDryRun: boolean;
  readonly account: string | undefined;
}

export const asked = 'npm run restore -- --help';

const options = {
  stage: { type: 'string' },
  to: { type: 'string' },
  use: { type: 'string' },
  value: { type: 'string' },
  account: { type: 'string' },
  cancel: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;

const kinds: ReadonlyMap<string, Kind> = new Map([
  ...Object.keys(tables).map((name) => [name, 'table'] as const),
  ...Object.keys(buckets).map((name) => [name, 'bucket'] as const),
  ...Object.keys(secrets).map((name) => [name, 'secret'] as const),
  ...Object.keys(queues).flatMap((name) => [name, `${name}DeadLetters`].map((one) => [one, 'queue'] as const)),
]);

const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

function readMoment(text: string): Date {
  const moment = new Date(text);
  if (!momentPattern.test(text) || Number.isNaN(moment.getTime()))
    throw new OptionError(`--to ${text}: must be a time with its time zone, such as 2026-11-22T10:00:00Z`);
  return new Date(Math.floor(moment.getTime() / 1000) * 1000);
}

const sources = ['to', 'use', 'cancel'] as const;

/**
 * Returns those of the options `--to`, `--use` and `--cancel` that apply. A restore needs exactly one of the options
 * that apply.
 */
const sourcesOf = (kind: Kind, store: string): readonly (typeof sources)[number][] => {
  if (store === 'exportedJournal') return ['use'];
  if (kind === 'bucket') return ['to', 'use'];
  return kind === 'table' ? sources : [];
};

/** @throws OptionError for invalid arguments */
export function readRestoreOptions(args: readonly string[]): RestoreOptions | 'help' {
  const { values, positionals } = parseArguments(args, options, asked, 1);
  if ((values as { help?: boolean }).help) return 'help';
  const { stage, to, use, value, account, cancel: isCancelled = false, 'dry-run': isDryRun = false } = values;
  const [store] = positionals;
  if (stage === undefined || store === undefined)
    throw usageError('name the stage, and the table, bucket, secret or queue to restore', asked);
  const kind = kinds.get(store);
  if (kind === undefined)
    throw new OptionError(`there is no store ${store}: the stores are ${[...kinds.keys()].join(', ')}`);
  const possible = sourcesOf(kind, store);
  const given = sources.filter((name) => values[name] !== undefined);
  const wrong = given.find((name) => !possible.includes(name));
  if (wrong !== undefined) throw new OptionError(`--${wrong} does not apply to ${store}`);
  if (possible.length > 0 && given.length !== 1)
    throw new OptionError(`${store} needs one of ${possible.map((name) => `--${name}`).join(', ')}`);
  if (value !== undefined && kind !== 'secret') throw new OptionError(`--value does not apply to ${store}`);
  const moment = to === undefined ? undefined : readMoment(to);
  return { stage, kind, store, to: moment, use, value, isCancelled, isDryRun, account };
}
