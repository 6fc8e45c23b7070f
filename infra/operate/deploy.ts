import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { styleText } from 'node:util';
import { leftAsExample } from '../settings/check-settings.ts';
import { readStage } from '../settings/read-stage.ts';
import { settingValue } from '../settings/settings.ts';
import { endWith, lineOf, OptionError, readOrEnd } from './command-line.ts';
import { confirm } from './deploy/ask.ts';
import { findConcurrencyShortage, findUnusedStacks, openDeployed } from './deploy/deployed.ts';
import { type DeployOptions, readDeployOptions, usage } from './deploy/options.ts';
import { checkFirst, checkPlace, dataStackOf, type Place, readPlace, textOf } from './deploy/place.ts';
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

const synthesize = ({ context, cdk }: DeployOptions, unmade: readonly string[] = []): Promise<void> => {
  const settings = { ...context, ...(unmade.length > 0 && { firstDeployment: unmade.join(',') }) };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return runCdk('synth', ['--quiet', '--strict', '--output', assembly, ...given, ...cdk]);
};
// Uses --force, because a stack with an unchanged template may read new outputs from another stack.
const deployAll = ({ cdk }: DeployOptions): Promise<void> =>
  runCdk('deploy', ['--app', assembly, '--all', '--force', '--require-approval', 'never', ...cdk]);

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

async function isApproved({ stage, isApproved: isGiven }: DeployOptions, lost: readonly string[], place: Place) {
  if (isGiven && lost.length > 0) throw new Error('--yes does not allow updates that lose data: deploy without it');
  if (isGiven) return true;
  if (!process.stdin.isTTY)
    throw new OptionError('deploying requires confirmation: run the command in a terminal, or add --yes');
  return confirm(`Deploy the stage ${stage} to ${textOf(place)}?`, stage);
}

async function deploy(options: DeployOptions): Promise<void> {
  const { stage, profile, context, cdk } = options;
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  const settings = await readStage(context);
  const place = await readPlace(settings.region);
  checkPlace(place, settings, options.account);
  say(`Stage ${stage}: ${textOf(place)}`);
  const deployed = openDeployed(place.region);
  const isProduction = settingValue(settings, 'production');
  if (isProduction && !(await deployed.isThere(dataStackOf(stage)))) checkFirst(options, place);
  await synthesize(options);
  const wanted = (await assemblyStacks(assembly)).map(({ name }) => name);
  const unmade = isProduction ? await unmadeOf(wanted, deployed) : [];
  if (unmade.length > 0) {
    say(`First deployment of ${unmade.join(', ')}. You can undo it until the second deployment, which follows.`);
    await synthesize(options, unmade);
  }
  const lack = await findConcurrencyShortage(settingValue(settings, 'concurrency'), place.region);
  const { lost, lostByRollback } = await changesOf(deployed);
  await runCdk('diff', ['--app', assembly, '--all', ...cdk]);
  const examples = leftAsExample(settings);
  if (examples.length > 0) console.log(styleText('red', `not changed from the example: ${examples.join(', ')}`));
  if (isProduction && settings.scopePrefix === '')
    console.log(styleText('yellow', 'scopePrefix is empty: scopes of all resource servers of the issuer are accepted'));
  if (lack !== undefined) console.log(styleText('red', `account limit: ${lack}`));
  for (const line of lost) console.log(styleText('red', `would be lost: ${line}`));
  for (const line of lostByRollback) console.log(styleText('yellow', `no rollback: ${line}`));
  if (!(await isApproved(options, lost, place))) return say('Nothing was deployed.');
  await deployAll(options);
  if (unmade.length > 0) {
    say(`Deploying again to protect ${unmade.join(', ')} and the tables from deletion.`);
    await synthesize(options);
    await deployAll(options);
  }
  for (const line of await findUnusedStacks(stage, wanted, deployed.isThere)) console.log(line);
  say(`${stage} is deployed. Check it: npm run smoke -- <its base URL>`);
}

const options = readOrEnd(usage, () => readDeployOptions(process.argv.slice(2)));
await deploy(options).catch((error: Error) => endWith(error, lineOf(error)));
