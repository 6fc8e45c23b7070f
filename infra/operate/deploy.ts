import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { styleText } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { leftAsExample } from '../settings/check-settings.ts';
import { readStage } from '../settings/read-stage.ts';
import { settingValue } from '../settings/settings.ts';
import { endWith, lineOf, OptionError, readOrEnd } from './command-line.ts';
import { confirm } from './deploy/ask.ts';
import { findUnusedStacks, openDeployed } from './deploy/deployed.ts';
import { findKeptExports, type KeptExports } from './deploy/kept-exports.ts';
import { type DeployOptions, readDeployOptions, usage } from './deploy/options.ts';
import { checkFirst, dataStackOf, type Place, readPlace, textOf } from './deploy/place.ts';
import type { Problem } from './deploy/problem.ts';
import { findQuotaProblems } from './deploy/quotas.ts';
import { findProblems, openClients, type Rehearsal } from './deploy/rehearse.ts';
import { deployArguments, findRollback, type Rollback } from './deploy/rollback.ts';
import { guardedTypes, stackPolicy } from './deploy/stack-policy.ts';
import { filterAsync } from './filter-async.ts';
import { assemblyStacks } from './release/assembly-stacks.ts';
import { changes, releaseOf } from './release/changes.ts';

/**
 * Runs a CDK command, whose output goes directly to the terminal.
 * @throws Error if the command fails
 */
async function runCdk(command: string, args: readonly string[]): Promise<void> {
  // Runs the `cdk` in node_modules, because npm puts the project's binaries first in PATH.
  const child = spawn('cdk', [command, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`cdk ${command} failed with ${code ?? 'a signal'}`);
}

const say = (text: string): void => console.log(styleText('bold', text));
const assembly = 'cdk.out';

/** The settings whose values the deploy command determines. */
type Determined = Readonly<Partial<Record<'firstDeployment' | 'keptExports', readonly string[]>>>;

const synthesize = ({ context, cdk }: DeployOptions, determined: Determined = {}): Promise<void> => {
  const lists = Object.entries(determined).filter(([, list]) => list.length > 0);
  const settings = { ...context, ...Object.fromEntries(lists.map(([name, list]) => [name, list.join(',')])) };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return runCdk('synth', ['--quiet', '--strict', '--output', assembly, ...given, ...cdk]);
};
async function deployAll({ stage, cdk }: DeployOptions, rollback: Rollback): Promise<void> {
  for (const args of deployArguments(stage, rollback))
    await runCdk('deploy', ['--app', assembly, ...args, '--require-approval', 'never', ...cdk]);
}

type Deployed = ReturnType<typeof openDeployed>;

/** Lists the data that an update or its rollback would lose, and the changes that CloudFormation would reject. */
async function changesOf(deployed: Deployed) {
  const after = await assemblyStacks(assembly);
  const before = await Promise.all(after.map(async ({ name }) => ({ name, template: await deployed.template(name) })));
  return changes(releaseOf(before), releaseOf(after));
}

async function showChanges(deployed: Deployed): Promise<readonly string[]> {
  const { lost, lostByRollback } = await changesOf(deployed);
  for (const line of lost) console.log(styleText('red', `would be lost: ${line}`));
  for (const line of lostByRollback) console.log(styleText('yellow', `no rollback: ${line}`));
  return lost;
}

function showProblems(problems: readonly Problem[]): void {
  for (const { problem, fix, isUnknown } of problems)
    console.log(`${styleText(isUnknown ? 'yellow' : 'red', problem)}\n  fix: ${fix}`);
}

async function isApproved({ stage, isApproved: isGiven }: DeployOptions, lost: readonly string[], place: Place) {
  if (isGiven && lost.length > 0) throw new Error('--yes does not allow updates that lose data: deploy without --yes');
  if (isGiven) return true;
  if (!process.stdin.isTTY)
    throw new OptionError('deploying requires confirmation: run the command in a terminal, or add --yes');
  return confirm(`Deploy the stage ${stage} to ${textOf(place)}?`, stage);
}

/** @throws OptionError if the data stack does not contain a resource in --lift */
async function checkLifted({ stage, lifted }: DeployOptions, deployed: Deployed): Promise<void> {
  if (lifted.length === 0) return;
  const { Resources } = await deployed.template(dataStackOf(stage));
  const unknown = lifted.find((id) => !guardedTypes.includes(Resources[id]?.Type ?? ''));
  if (unknown === undefined) return;
  throw new OptionError(
    `--lift: ${dataStackOf(stage)} has no table, bucket, secret, key or vault with the id ${unknown}`,
  );
}

/**
 * Deploys the stacks of a stage. A second deployment follows if some stacks are new, or if exports can be removed after
 * the first deployment. Its alarms are read again, because the first deployment may replace or remove alarms.
 * @param unmade the new stacks, which the second deployment protects from deletion
 */
async function deployTwice(
  options: DeployOptions,
  unmade: readonly string[],
  kept: KeptExports,
  deployed: Deployed,
): Promise<void> {
  const rollback = await findRollback(options.stage, options.monitoredMinutes, deployed);
  await deployAll(options, rollback);
  const reasons = [
    ...(unmade.length > 0 ? [`to protect ${unmade.join(', ')} and the tables from deletion`] : []),
    ...(kept.during.length > kept.after.length ? ['to remove exports that stacks no longer import'] : []),
  ];
  if (reasons.length === 0) return;
  say(`Deploying again ${reasons.join(', and ')}.`);
  await synthesize(options, { keptExports: kept.after });
  const again = rollback.alarms.length === 0 ? rollback : await findRollback(options.stage, rollback.minutes, deployed);
  await deployAll(options, { ...again, minutes: 0 });
}

/** Deploys a production stage, and sets the stack policy of its data stack before and after the deployment. */
async function deployGuarded(
  { stage, lifted }: DeployOptions,
  deployIt: () => Promise<void>,
  deployed: Deployed,
): Promise<void> {
  const data = dataStackOf(stage);
  const set = async (ids: readonly string[]) => {
    if (await deployed.isThere(data)) await deployed.setPolicy(data, stackPolicy(ids));
  };
  await set(lifted);
  try {
    await deployIt();
  } finally {
    await set([]);
  }
}

/**
 * Prints what a deployment would change, and the problems that would make the deployment fail. CDK reads the changes
 * from a temporary change set.
 */
async function rehearse({ cdk }: DeployOptions, rehearsal: Rehearsal, deployed: Deployed): Promise<void> {
  const made = rehearsal.stacks.map(({ name }) => name).filter((name) => !rehearsal.unmade.includes(name));
  // Excludes new stacks, because CDK would create an empty stack for the change set.
  if (made.length > 0) await runCdk('diff', ['--app', assembly, '--exclusively', ...made, ...cdk]);
  for (const name of rehearsal.unmade) say(`${name} is new.`);
  const lost = await showChanges(deployed);
  const problems = await findProblems(rehearsal);
  showProblems(problems);
  const count = lost.length + problems.filter(({ isUnknown }) => !isUnknown).length;
  say(count === 0 ? 'Nothing was changed. No problem was found.' : `Nothing was changed. Problems: ${count}`);
  if (count > 0) process.exitCode = 1;
}

async function deploy(options: DeployOptions): Promise<void> {
  const { stage, profile, context, cdk, isRehearsal } = options;
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  const settings = await readStage(context);
  const place = await readPlace(settings, options.account);
  say(`Stage ${stage}: ${textOf(place)}`);
  const deployed = openDeployed(new CloudFormationClient({ region: place.region }));
  const isProduction = settingValue(settings, 'production');
  if (isProduction && !isRehearsal && !(await deployed.isThere(dataStackOf(stage)))) checkFirst(options, place);
  await checkLifted(options, deployed);
  await synthesize(options);
  const stacks = await assemblyStacks(assembly);
  const wanted = stacks.map(({ name }) => name);
  const unmade = await filterAsync(wanted, async (name) => !(await deployed.isThere(name)));
  const clients = openClients(place.region);
  if (isRehearsal) {
    const { statusOf } = deployed;
    const read = (url: string) => fetch(url, { signal: AbortSignal.timeout(10_000) });
    const given = { settings, place, clients, stacks, unmade, statusOf, read, now: Date.now };
    return rehearse(options, given, deployed);
  }
  const quotas = await findQuotaProblems(clients, settings, stacks, unmade);
  showProblems(quotas);
  if (isProduction && quotas.some(({ isUnknown }) => !isUnknown))
    throw new Error('the quotas of a production stage are too low: nothing was deployed');
  const protectedLater = isProduction ? unmade : [];
  if (protectedLater.length > 0)
    say(`First deployment of ${unmade.join(', ')}. You can undo it until the second deployment, which follows.`);
  const kept = await findKeptExports(stage, stacks, deployed);
  if (protectedLater.length + kept.during.length > 0)
    await synthesize(options, { firstDeployment: protectedLater, keptExports: kept.during });
  await runCdk('diff', ['--app', assembly, '--all', ...cdk]);
  const examples = leftAsExample(settings);
  if (examples.length > 0) console.log(styleText('red', `not changed from the example: ${examples.join(', ')}`));
  if (isProduction && settings.scopePrefix === '')
    console.log(styleText('yellow', 'scopePrefix is empty: scopes of all resource servers of the issuer are accepted'));
  const lost = await showChanges(deployed);
  if (isProduction && lost.length > 0)
    console.log(
      'The stack policy rejects updates that replace or remove a table, bucket, secret, key or vault. --lift allows one such update.',
    );
  if (!(await isApproved(options, lost, place))) return say('Nothing was deployed.');
  const deployIt = () => deployTwice(options, protectedLater, kept, deployed);
  if (isProduction) await deployGuarded(options, deployIt, deployed);
  else await deployIt();
  for (const line of await findUnusedStacks(stage, wanted, deployed.isThere)) console.log(line);
  say(`${stage} is deployed. To check the deployment, run: npm run smoke -- <base URL>`);
}

const options = readOrEnd(usage, () => readDeployOptions(process.argv.slice(2)));
await deploy(options).catch((error: Error) => endWith(error, lineOf(error)));
