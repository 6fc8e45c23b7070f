import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { styleText } from 'node:util';
import { leftAsExample } from '../settings/check-settings.ts';
import { readStage } from '../settings/read-stage.ts';
import { settingValue } from '../settings/settings.ts';
import { endWith, lineOf, OptionError, readOrEnd } from './command-line.ts';
import { confirm } from './deploy/ask.ts';
import { findConcurrencyShortage, findUnusedStacks, openDeployed } from './deploy/deployed.ts';
import { findKeptExports } from './deploy/kept-exports.ts';
import { type DeployOptions, readDeployOptions, usage } from './deploy/options.ts';
import { assemblyStacks } from './release/assembly-stacks.ts';
import { changes, releaseOf } from './release/changes.ts';

/**
 * Runs a CDK command, which prints its own output.
 * @throws Error if the command fails
 */
async function runCdk(command: string, args: readonly string[]): Promise<void> {
  // npm puts the project's own binaries first in PATH.
  const child = spawn('cdk', [command, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`cdk ${command} failed with ${code ?? 'a signal'}`);
}

const say = (text: string): void => console.log(styleText('bold', text));
const assembly = 'cdk.out';

/** The settings that this command determines. */
type Determined = Readonly<Partial<Record<'firstDeployment' | 'keptExports', readonly string[]>>>;

const synthesize = ({ context, cdk }: DeployOptions, determined: Determined = {}): Promise<void> => {
  const lists = Object.entries(determined).filter(([, list]) => list.length > 0);
  const settings = { ...context, ...Object.fromEntries(lists.map(([name, list]) => [name, list.join(',')])) };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return runCdk('synth', ['--quiet', '--strict', '--output', assembly, ...given, ...cdk]);
};
const deployAll = ({ cdk }: DeployOptions): Promise<void> =>
  runCdk('deploy', ['--app', assembly, '--all', '--require-approval', 'never', ...cdk]);

async function unmadeOf(stacks: readonly string[], deployed: ReturnType<typeof openDeployed>): Promise<string[]> {
  const found = stacks.map(async (name) => ({ name, is: await deployed.isThere(name) }));
  return (await Promise.all(found)).filter(({ is }) => !is).map(({ name }) => name);
}

/** Lists the data that this update or its rollback would lose, and the changes that CloudFormation would reject. */
async function changesOf(deployed: ReturnType<typeof openDeployed>) {
  const after = await assemblyStacks(assembly);
  const before = await Promise.all(after.map(async ({ name }) => ({ name, template: await deployed.template(name) })));
  return changes(releaseOf(before), releaseOf(after));
}

async function isApproved({ stage, isApproved: isGiven }: DeployOptions, lost: readonly string[], region: string) {
  if (isGiven && lost.length > 0) throw new Error('--yes does not allow updates that lose data: deploy without it');
  if (isGiven) return true;
  if (!process.stdin.isTTY)
    throw new OptionError('deploying requires confirmation: run the command in a terminal, or add --yes');
  return confirm(`Deploy the stage ${stage} to ${region}?`, stage);
}

async function deploy(options: DeployOptions): Promise<void> {
  const { stage, profile, context, cdk } = options;
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  const settings = await readStage(context);
  const deployed = openDeployed();
  const region = await deployed.region();
  await synthesize(options);
  const stacks = await assemblyStacks(assembly);
  const wanted = stacks.map(({ name }) => name);
  const unmade = settingValue(settings, 'production') ? await unmadeOf(wanted, deployed) : [];
  if (unmade.length > 0)
    say(`First deployment of ${unmade.join(', ')}. You can undo it until the second deployment, which follows.`);
  const kept = await findKeptExports(stage, stacks, deployed);
  if (unmade.length + kept.during.length > 0)
    await synthesize(options, { firstDeployment: unmade, keptExports: kept.during });
  const lack = await findConcurrencyShortage(settingValue(settings, 'concurrency'));
  const { lost, lostByRollback } = await changesOf(deployed);
  await runCdk('diff', ['--app', assembly, '--all', ...cdk]);
  const examples = leftAsExample(settings);
  if (examples.length > 0) console.log(styleText('red', `not changed from the example: ${examples.join(', ')}`));
  if (settingValue(settings, 'production') && settings.scopePrefix === '')
    console.log(styleText('yellow', 'scopePrefix is empty: scopes of all resource servers of the issuer are accepted'));
  if (lack !== undefined) console.log(styleText('red', `account limit: ${lack}`));
  for (const line of lost) console.log(styleText('red', `would be lost: ${line}`));
  for (const line of lostByRollback) console.log(styleText('yellow', `no rollback: ${line}`));
  if (!(await isApproved(options, lost, region))) return say('Nothing was deployed.');
  await deployAll(options);
  const reasons = [
    ...(unmade.length > 0 ? [`to protect ${unmade.join(', ')} and the tables from deletion`] : []),
    ...(kept.during.length > kept.after.length ? ['to remove exports that no stack imports any longer'] : []),
  ];
  if (reasons.length > 0) {
    say(`Deploying again ${reasons.join(', and ')}.`);
    await synthesize(options, { keptExports: kept.after });
    await deployAll(options);
  }
  for (const line of await findUnusedStacks(stage, wanted, deployed.isThere)) console.log(line);
  say(`${stage} is deployed. Check it: npm run smoke -- <its base URL>`);
}

const options = readOrEnd(usage, () => readDeployOptions(process.argv.slice(2)));
await deploy(options).catch((error: Error) => endWith(error, lineOf(error)));
