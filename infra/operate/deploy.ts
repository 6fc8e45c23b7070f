import { styleText } from 'node:util';
import { lackOf } from '../deploy/account.ts';
import { openDeployed } from '../deploy/deployed.ts';
import { leftOver } from '../deploy/left-over.ts';
import { runCdk } from '../deploy/run-cdk.ts';
import { changes, releaseOf } from '../release/changes.ts';
import { leftAsExample } from '../settings/check-settings.ts';
import { readStage } from '../settings/read-stage.ts';
import { SettingError } from '../settings/setting-error.ts';
import { settingValue } from '../settings/settings.ts';
import { ask } from './deploy/ask.ts';
import { type DeployOptions, readDeployOptions, usage } from './deploy/options.ts';
import { assemblyStacks } from './release/assembly-stacks.ts';

const say = (text: string): void => console.log(styleText('bold', text));
const assembly = 'cdk.out';

const synthesize = ({ context, cdk }: DeployOptions, unmade: readonly string[] = []): Promise<void> => {
  const settings = { ...context, ...(unmade.length > 0 && { firstDeployment: unmade.join(',') }) };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return runCdk('synth', ['--quiet', '--strict', '--output', assembly, ...given, ...cdk]);
};
// By force: what a stack reads of another one's outputs may be new though its own template is not.
const deployAll = ({ cdk }: DeployOptions): Promise<void> =>
  runCdk('deploy', ['--app', assembly, '--all', '--force', '--require-approval', 'never', ...cdk]);

/** The stacks of which nothing was ever made, or nothing is left. */
async function unmadeOf(stacks: readonly string[], deployed: ReturnType<typeof openDeployed>): Promise<string[]> {
  const found = stacks.map(async (name) => ({ name, is: await deployed.isThere(name) }));
  return (await Promise.all(found)).filter(({ is }) => !is).map(({ name }) => name);
}

/** What this update of what is deployed would lose, or be refused, and what its rollback would: a line each. */
async function changesOf(deployed: ReturnType<typeof openDeployed>) {
  const after = await assemblyStacks(assembly);
  const before = await Promise.all(after.map(async ({ name }) => ({ name, template: await deployed.template(name) })));
  return changes(releaseOf(before), releaseOf(after));
}

async function isApproved({ stage, isApproved: isGiven }: DeployOptions, lost: readonly string[], region: string) {
  if (isGiven && lost.length > 0)
    throw new SettingError('--yes does not agree to what would be lost: deploy it by hand');
  if (isGiven) return true;
  if (!process.stdin.isTTY) throw new SettingError('nobody is there to be asked: --yes deploys without asking');
  return ask(`Deploy the stage ${stage} to ${region}?`, stage);
}

async function deploy(options: DeployOptions): Promise<void> {
  const { stage, profile, context, cdk } = options;
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  const settings = await readStage(context);
  const deployed = openDeployed();
  const region = await deployed.region();
  await synthesize(options);
  const wanted = (await assemblyStacks(assembly)).map(({ name }) => name);
  const unmade = settingValue(settings, 'production') ? await unmadeOf(wanted, deployed) : [];
  if (unmade.length > 0) {
    say(`The first deployment of ${unmade.join(', ')}: can be taken back until the second one, which follows.`);
    await synthesize(options, unmade);
  }
  const lack = await lackOf(settingValue(settings, 'concurrency'));
  const { lost, lostByRollback } = await changesOf(deployed);
  await runCdk('diff', ['--app', assembly, '--all', ...cdk]);
  const examples = leftAsExample(settings);
  if (examples.length > 0) console.log(styleText('red', `still as in the example: ${examples.join(', ')}`));
  if (lack !== undefined) console.log(styleText('red', `does not fit: ${lack}`));
  for (const line of lost) console.log(styleText('red', `would be lost: ${line}`));
  for (const line of lostByRollback) console.log(styleText('yellow', `no way back: ${line}`));
  if (!(await isApproved(options, lost, region))) return say('Nothing was deployed.');
  await deployAll(options);
  if (unmade.length > 0) {
    say(`And once more, so that ${unmade.join(', ')} and the tables refuse to be deleted.`);
    await synthesize(options);
    await deployAll(options);
  }
  for (const line of await leftOver(stage, wanted, deployed.isThere)) console.log(line);
  say(`${stage} is deployed. Does it work? npm run smoke -- <its base URL>`);
}

try {
  const options = readDeployOptions(process.argv.slice(2));
  if (options === 'help') console.log(usage);
  else await deploy(options);
} catch (error) {
  // Some errors of the AWS clients have their reason in the name alone.
  const { message, name } = error as Error;
  console.error(styleText('red', (message || name).replace(/\s+/g, ' ').trim(), { stream: process.stderr }));
  process.exitCode = 1;
}
