import { quoted } from '../../restore/quoted.ts';

interface Warm {
  readonly ReadUnitsPerSecond: number;
  readonly WriteUnitsPerSecond: number;
}

/** What CloudFormation is given of a table, as far as a restore forgets it. */
export interface TableShape {
  readonly TimeToLiveSpecification?: { readonly AttributeName: string };
  readonly DeletionProtectionEnabled?: boolean;
  readonly WarmThroughput?: Warm;
  readonly GlobalSecondaryIndexes?: readonly { readonly IndexName: string; readonly WarmThroughput?: Warm }[];
}

const warm = ({ ReadUnitsPerSecond, WriteUnitsPerSecond }: Warm): string =>
  JSON.stringify({ ReadUnitsPerSecond, WriteUnitsPerSecond });

/** Functions of the shell that the lines of `tableCommands` call. */
export const tableFunctions = [
  '# Until the table can be used: the waiter of the AWS CLI gives up after 500 seconds, a restore may take an hour.',
  'active() {',
  '  while status=$(aws dynamodb describe-table --table-name "$1" --query Table.TableStatus --output text) && [ "$status" != ACTIVE ]; do',
  '    echo "$1 is $status" >&2; sleep 10',
  '  done',
  '  [ "$status" = ACTIVE ]',
  '}',
  '# For ten minutes: backups of a new table are not there at once.',
  'again() { tries=0; until "$@" >/dev/null; do tries=$((tries + 1)); [ $tries -lt 60 ] || return 1; sleep 10; done; }',
  'arn() { aws dynamodb describe-table --table-name "$1" --query Table.TableArn --output text; }',
];

/**
 * Lines for a shell that give a restored table what a restore forgets: "Point-in-time backups: how it works" in the Amazon
 * DynamoDB Developer Guide lists it. They may be run again. They stop where the table lacks an index.
 * @param old an expression of the shell: the name of the table that it replaces, whose tags it gets
 */
export function tableCommands(restored: string, shape: TableShape, old: string): string[] {
  const table = `--table-name ${quoted(restored)}`;
  const ask = (command: string, query: string) =>
    `"$(aws dynamodb ${command} ${table} --query ${quoted(query)} --output text)"`;
  const indexes = shape.GlobalSecondaryIndexes ?? [];
  const names = indexes.map(({ IndexName }) => IndexName).toSorted();
  const active = "sort(Table.GlobalSecondaryIndexes[?IndexStatus=='ACTIVE'].IndexName || `[]`) | join(' ', @)";
  const { AttributeName } = shape.TimeToLiveSpecification ?? {};
  const wait = `active ${quoted(restored)}`;
  const update = (what: string) => [`aws dynamodb update-table ${table} ${what} >/dev/null`, wait];
  return [
    wait,
    `[ ${ask('describe-table', active)} = ${quoted(names.join(' '))} ] || { echo ${quoted(`${restored} lacks an index of ${names.join(', ')}, or builds it still`)} >&2; exit 1; }`,
    `again aws dynamodb update-continuous-backups ${table} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
    ...(AttributeName === undefined
      ? []
      : [
          `case ${ask('describe-time-to-live', 'TimeToLiveDescription.TimeToLiveStatus')} in ENABL*) ;; *) aws dynamodb update-time-to-live ${table} --time-to-live-specification Enabled=true,AttributeName=${AttributeName} >/dev/null ;; esac`,
        ]),
    ...(shape.WarmThroughput ? update(`--warm-throughput ${quoted(warm(shape.WarmThroughput))}`) : []),
    ...indexes.flatMap(({ IndexName, WarmThroughput }) =>
      WarmThroughput
        ? update(
            `--global-secondary-index-updates ${quoted(`[{"Update":{"IndexName":"${IndexName}","WarmThroughput":${warm(WarmThroughput)}}}]`)}`,
          )
        : [],
    ),
    ...(shape.DeletionProtectionEnabled
      ? [
          `[ ${ask('describe-table', 'Table.DeletionProtectionEnabled')} = True ] || aws dynamodb update-table ${table} --deletion-protection-enabled >/dev/null`,
        ]
      : []),
    `if old=$(arn ${old}); then`,
    `  tags=$(aws dynamodb list-tags-of-resource --resource-arn "$old" --query ${quoted("Tags[?!starts_with(Key, 'aws:')]")} --output json)`,
    `  [ "$tags" = '[]' ] || aws dynamodb tag-resource --resource-arn "$(arn ${quoted(restored)})" --tags "$tags"`,
    `else echo ${quoted(`the table that was in use is gone: give ${restored} its tags by hand`)} >&2; fi`,
  ];
}
