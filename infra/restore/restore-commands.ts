import { type BucketName, buckets } from '../../shared/contract/buckets.ts';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { tables } from '../../shared/contract/tables.ts';
import { bucketCommands } from '../operate/restore/bucket-commands.ts';
import { ownShapes } from '../operate/restore/synthesized-shapes.ts';
import { type TableShape, tableCommands, tableFunctions } from '../operate/restore/table-commands.ts';
import { readStage } from '../settings/read-stage.ts';
import { SettingError } from '../settings/setting-error.ts';
import { quoted } from './quoted.ts';

const known = [...Object.keys(tables), ...Object.keys(buckets)];

/** The name of what is in use now, as the stack's outputs say it. */
const inUse = (stack: string, output: string): string =>
  `"$(aws cloudformation describe-stacks --stack-name ${stack} --query ${quoted(`Stacks[0].Outputs[?OutputKey=='${output}'].OutputValue`)} --output text)"`;

const ready = (stage: string, setting: string, restored: string): string =>
  `echo ${quoted(`ready: ${restored}. Now put ${setting}: '${restored}' into infra/stages/${stage}.ts, commit it, and npm run deploy -- --stage ${stage}`)}`;

/**
 * A script of `sh` for the AWS CLI that gives restored tables and buckets what a restore forgets. It changes nothing but
 * them, and may be run again.
 * @param given `persons=NAME`: what was restored, and the name that it has now
 * @throws SettingError that says what may be given
 */
export async function restoreCommands(stage: string, given: readonly string[]): Promise<string> {
  const shapes = ownShapes(await readStage({ stage }));
  const lines = given.flatMap((text) => {
    const [what = '', restored = ''] = text.split('=');
    if (!known.includes(what) || !/^[\w.-]+$/.test(restored)) {
      throw new SettingError(`${text}: give one of ${known.join(', ')}, = and the name of the restored one`);
    }
    if (Object.hasOwn(buckets, what)) {
      const commands = bucketCommands(restored, shapes[what as BucketName] ?? {});
      return [...commands, ready(stage, `${what}Bucket`, restored)];
    }
    const old = inUse(namesOf(stage).stack, `${what}Table`);
    return [...tableCommands(restored, shapes[what] as TableShape, old), ready(stage, `${what}Table`, restored)];
  });
  return ['set -eu', ...tableFunctions, ...lines].join('\n');
}
