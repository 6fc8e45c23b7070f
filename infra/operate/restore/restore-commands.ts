import { type BucketName, buckets } from '../../../shared/contract/buckets.ts';
import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { tables } from '../../../shared/contract/tables.ts';
import { readStage } from '../../settings/read-stage.ts';
import { SettingError } from '../../settings/settings.ts';
import { bucketCommands } from './bucket-commands.ts';
import { shellQuote } from './shell-quote.ts';
import { synthesizeShapes } from './synthesized-shapes.ts';
import { type TableShape, tableCommands, tableFunctions } from './table-commands.ts';

const known = [...Object.keys(tables), ...Object.keys(buckets)];

/** A shell expression for the name of the resource in use, from the stack's outputs. */
const inUse = (stack: string, output: string): string =>
  `"$(aws cloudformation describe-stacks --stack-name ${stack} --query ${shellQuote(`Stacks[0].Outputs[?OutputKey=='${output}'].OutputValue`)} --output text)"`;

const ready = (stage: string, store: string, restored: string): string =>
  `echo ${shellQuote(`ready: ${restored}. Now add ${store}=${restored} to the setting restored in infra/stages/${stage}.ts, commit the file, and run npm run deploy -- --stage ${stage}`)}`;

/**
 * A `sh` script for the AWS CLI that configures restored tables and buckets. It changes only them, and is idempotent.
 * @param given for each, the table or bucket and its restored name: `persons=NAME`
 * @throws SettingError with the valid names
 */
export async function restoreCommands(stage: string, given: readonly string[]): Promise<string> {
  const shapes = synthesizeShapes(await readStage({ stage }));
  const lines = given.flatMap((text) => {
    const [what = '', restored = ''] = text.split('=');
    if (!known.includes(what) || !/^[\w.-]+$/.test(restored)) {
      throw new SettingError(`${text}: needs one of ${known.join(', ')}, then = and the name of the restored resource`);
    }
    if (Object.hasOwn(buckets, what)) {
      const commands = bucketCommands(restored, shapes[what as BucketName] ?? {});
      return [...commands, ready(stage, what, restored)];
    }
    const old = inUse(namesOf(stage).stack, `${what}Table`);
    return [...tableCommands(restored, shapes[what] as TableShape, old), ready(stage, what, restored)];
  });
  return ['set -eu', ...tableFunctions, ...lines].join('\n');
}
