import { shellQuote } from './shell-quote.ts';

interface Warm {
  readonly ReadUnitsPerSecond: number;
  readonly WriteUnitsPerSecond: number;
}

/** Table properties that a restore does not copy. */
export interface TableShape {
  readonly TimeToLiveSpecification?: { readonly AttributeName: string };
  readonly Replicas?: readonly { readonly DeletionProtectionEnabled?: boolean }[];
  readonly WarmThroughput?: Warm;
  readonly GlobalSecondaryIndexes?: readonly { readonly IndexName: string; readonly WarmThroughput?: Warm }[];
}

const warm = ({ ReadUnitsPerSecond, WriteUnitsPerSecond }: Warm): string =>
  JSON.stringify({ ReadUnitsPerSecond, WriteUnitsPerSecond });

/** Selects all tags except those that AWS added. */
const ownTags = shellQuote("Tags[?!starts_with(Key, 'aws:')]");

/** Shell functions that the commands from `tableCommands` call. */
export const tableFunctions = [
  '# Waits until the table is active. The waiter of the AWS CLI stops after 500 seconds, but a restore may take an hour.',
  'active() {',
  '  while status=$(aws dynamodb describe-table --table-name "$1" --query Table.TableStatus --output text) && [ "$status" != ACTIVE ]; do',
  '    echo "$1 is $status" >&2; sleep 10',
  '  done',
  '  [ "$status" = ACTIVE ]',
  '}',
  '# Retries for ten minutes, because a new table has no backups at first.',
  'again() { tries=0; until "$@" >/dev/null; do tries=$((tries + 1)); [ $tries -lt 60 ] || return 1; sleep 10; done; }',
  'arn() { aws dynamodb describe-table --table-name "$1" --query Table.TableArn --output text; }',
];

/**
 * Returns shell commands that configure a restored table. "Point-in-time backups: how it works" in the Amazon DynamoDB Developer
 * Guide lists what a restore does not copy. The commands are idempotent, and stop if the table lacks an index.
 * @param old a shell expression for the name of the replaced table, whose tags are copied to the restored table
 */
export function tableCommands(restored: string, shape: TableShape, old: string): string[] {
  const table = `--table-name ${shellQuote(restored)}`;
  const aws = (command: string): string => `aws dynamodb ${command} ${table}`;
  const ask = (command: string, query: string) => `"$(${aws(command)} --query ${shellQuote(query)} --output text)"`;
  const indexes = shape.GlobalSecondaryIndexes ?? [];
  const names = indexes.map(({ IndexName }) => IndexName).toSorted();
  const active = "sort(Table.GlobalSecondaryIndexes[?IndexStatus=='ACTIVE'].IndexName || `[]`) | join(' ', @)";
  const { AttributeName } = shape.TimeToLiveSpecification ?? {};
  const wait = `active ${shellQuote(restored)}`;
  const update = (what: string) => [`${aws('update-table')} ${what} >/dev/null`, wait];
  return [
    wait,
    `[ ${ask('describe-table', active)} = ${shellQuote(names.join(' '))} ] || {`,
    `  echo ${shellQuote(`${restored} lacks an index of ${names.join(', ')}, or is still building one`)} >&2; exit 1; }`,
    `again ${aws('update-continuous-backups')} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
    ...(AttributeName === undefined
      ? []
      : [
          `case ${ask('describe-time-to-live', 'TimeToLiveDescription.TimeToLiveStatus')} in ENABL*) ;; *)`,
          `  ${aws('update-time-to-live')} --time-to-live-specification Enabled=true,AttributeName=${AttributeName} >/dev/null ;;`,
          'esac',
        ]),
    ...(shape.WarmThroughput ? update(`--warm-throughput ${shellQuote(warm(shape.WarmThroughput))}`) : []),
    ...indexes.flatMap(({ IndexName, WarmThroughput }) => {
      if (WarmThroughput === undefined) return [];
      const change = `[{"Update":{"IndexName":"${IndexName}","WarmThroughput":${warm(WarmThroughput)}}}]`;
      return update(`--global-secondary-index-updates ${shellQuote(change)}`);
    }),
    ...(shape.Replicas?.[0]?.DeletionProtectionEnabled
      ? [
          `[ ${ask('describe-table', 'Table.DeletionProtectionEnabled')} = True ] ||`,
          `  ${aws('update-table')} --deletion-protection-enabled >/dev/null`,
        ]
      : []),
    `if old=$(arn ${old}); then`,
    `  tags=$(aws dynamodb list-tags-of-resource --resource-arn "$old" --query ${ownTags} --output json)`,
    `  [ "$tags" = '[]' ] || aws dynamodb tag-resource --resource-arn "$(arn ${shellQuote(restored)})" --tags "$tags"`,
    `else echo ${shellQuote(`the replaced table no longer exists: add the tags of ${restored} yourself`)} >&2; fi`,
  ];
}
