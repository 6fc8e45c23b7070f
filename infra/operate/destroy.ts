import { setTimeout as sleep } from 'node:timers/promises';
import { besideStacks, dataStack, namesOf, serviceTag } from '../../shared/contract/deployment-names.ts';
import { readStage } from '../settings/read-stage.ts';
import { settingValue } from '../settings/settings.ts';
import { openAws } from './aws-cli.ts';
import { endWith, lineOf, OptionError, readCommand, usageError } from './command-line.ts';
import { confirm } from './deploy/ask.ts';
import { readPlace, textOf } from './deploy/place.ts';
import { emptyVaults, listLeftOver, removeLeftOver } from './destroy/left-over.ts';

const usage = `npm run destroy -- --stage STAGE [--yes --account ACCOUNT]

Deletes the backups and stacks of a stage, and then everything that outlives them: tables, buckets with all versions,
secrets, logs, addresses, the user pool, and the key (after 7 days). Leaves the role with which API Gateway writes logs,
because it belongs to the account, and the backups that DynamoDB keeps for 35 days after it deletes a table. For a
production stage, lists what would remain, and deletes nothing.

  --stage STAGE    the stage, with settings in infra/stages/STAGE.ts
  --yes            deletes without confirmation; needs --account
  --account NUMBER the account that you expect; the command stops if the credentials belong to another account

Runs the AWS CLI, with its credentials and region.`;

const options = { stage: { type: 'string' }, yes: { type: 'boolean' }, account: { type: 'string' } } as const;
const asked = 'npm run destroy -- --help';
const { values } = readCommand(options, usage, asked);

async function destroy(stage: string): Promise<void> {
  const settings = await readStage({ stage }, true);
  const place = await readPlace(settings, values.account);
  console.log(`Stage ${stage}: ${textOf(place)}`);
  const aws = openAws(place.region);
  const leftOver = await listLeftOver(aws, serviceTag, stage);
  for (const arn of leftOver) console.log(arn);
  if (settingValue(settings, 'production')) {
    throw new Error(`${stage} is a production stage: nothing was deleted. The resources listed above would remain.`);
  }
  if (values.yes !== true) {
    if (!process.stdin.isTTY) throw new OptionError('destroying requires confirmation: use a terminal, or add --yes');
    if (!(await confirm(`Delete the stage ${stage} in ${textOf(place)} with all its data?`, stage))) return;
  }
  const waiting = { say: console.log, sleep };
  await emptyVaults(aws, leftOver, waiting);
  const { stack } = namesOf(stage);
  const [identityProvider, network, observability, protection] = besideStacks(stack);
  // Deletes stacks in this order, because a stack can be deleted only when no other stack imports its exports.
  for (const name of [protection, observability, stack, dataStack(stack), network, identityProvider]) {
    console.log(`deleting ${name} ...`);
    await aws('cloudformation', 'delete-stack', '--stack-name', name);
    await aws('cloudformation', 'wait', 'stack-delete-complete', '--stack-name', name);
  }
  for (const arn of await listLeftOver(aws, serviceTag, stage)) {
    console.log(`deleting ${arn} ...`);
    await removeLeftOver(aws, arn, waiting);
  }
  console.log(
    `Nothing is left of ${stage}, except the backups that DynamoDB keeps for 35 days after it deletes a table.`,
  );
}

try {
  if (values.stage === undefined) throw usageError('Name the stage', asked);
  if (values.yes && values.account === undefined)
    throw new OptionError('--yes needs --account with the number of the account');
  await destroy(values.stage);
} catch (error) {
  endWith(error, lineOf(error as Error));
}
