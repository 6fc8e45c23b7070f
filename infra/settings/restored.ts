import * as z from 'zod/mini';
import { buckets } from '../../shared/contract/buckets.ts';
import { type SecretName, secrets } from '../../shared/contract/secret-names.ts';
import { names } from '../../shared/contract/setting-schemas.ts';
import { type TableName, tables } from '../../shared/contract/tables.ts';

type BucketName = keyof typeof buckets;
type Store = TableName | BucketName | SecretName;

interface Rule {
  readonly pattern: RegExp;
  readonly error: string;
}

const rules: Readonly<Record<'table' | 'bucket' | 'secret', Rule>> = {
  table: { pattern: /^[\w.-]{3,255}$/, error: 'must be the name of a table, not its ARN' },
  bucket: {
    pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    error: 'must be the name of a bucket, not its ARN',
  },
  // IAM policies need the complete ARN of a secret, including its random six-character suffix.
  secret: {
    pattern: /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6}$/,
    error: 'must be the complete ARN of a secret, including the six characters at its end',
  },
};

const ruleOf: ReadonlyMap<string, Rule> = new Map([
  ...Object.keys(tables).map((name) => [name, rules.table] as const),
  ...Object.keys(buckets).map((name) => [name, rules.bucket] as const),
  ...Object.keys(secrets).map((name) => [name, rules.secret] as const),
]);

/** Splits `persons=NAME` into a pair at the first equals sign. An ARN may contain more equals signs. */
const pairOf = (text: string): readonly [store: string, resource: string] => {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
};

/** Returns the problem with an entry of the setting; undefined if the entry is valid. */
function problemOf(text: string): string | undefined {
  const [store, resource] = pairOf(text);
  const rule = ruleOf.get(store);
  if (rule === undefined) return `there is no store ${store}; the stores are ${[...ruleOf.keys()].join(', ')}`;
  return rule.pattern.test(resource) ? undefined : `${store} ${rule.error}`;
}

const isOnce = (entries: readonly string[]): boolean =>
  new Set(entries.map((entry) => pairOf(entry)[0])).size === entries.length;

export type Restored = Readonly<Partial<Record<Store, string>>>;

/** The schema of the setting `restored`: `persons=NAME,documents=NAME,signing=ARN`. */
export const restoredResources = () =>
  z.pipe(
    names(),
    z.pipe(
      z
        .array(
          z
            .string()
            .check(
              z.refine((text) => problemOf(text) === undefined, { error: ({ input }) => problemOf(String(input)) }),
            ),
        )
        .check(z.refine(isOnce, { error: 'must name each store once' })),
      z.transform((entries: string[]): Restored => Object.fromEntries(entries.map(pairOf))),
    ),
  );
