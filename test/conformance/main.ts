import { readOutputs } from '../../infra/local/aws/template/outputs.ts';
import { endWith, lineOf, OptionError, readOrEnd } from '../../infra/operate/command-line.ts';
import { fromCommand } from '../../infra/operate/token-command.ts';
import { printTable, progressBar } from '../bench/terminal.ts';
import { isLocal, unique } from './deployment.ts';
import { mailsOf } from './mails.ts';
import { type Options, readOptions, usage } from './options.ts';
import { startReceiver } from './receiver.ts';
import { requirements } from './requirements.ts';
import { checkRequirements, type Outcome, type Result, runSmokeTest } from './run.ts';
import { cacheTokens, fromIssuer, scopes } from './tokens.ts';

type Outputs = Awaited<ReturnType<typeof readOutputs>>[number];

function tokensFor({ tokenCommand }: Options, here: Outputs | undefined) {
  if (tokenCommand !== undefined) return fromCommand(tokenCommand);
  if (here === undefined) throw new OptionError('use --token-command to get access tokens for the deployment');
  // Use a new client so that the rate limits of other runs do not apply.
  return fromIssuer(here.tokenUrl, unique('conformance'));
}

async function openReceiver({ receiver, receiverPort, waitSeconds }: Options, baseUrl: string) {
  if (receiver !== undefined) return startReceiver(waitSeconds * 1000, receiverPort, receiver);
  return isLocal(baseUrl) ? startReceiver(waitSeconds * 1000) : undefined;
}

const counted = (results: readonly Result[], outcome: Outcome): number =>
  results.filter((result) => result.outcome === outcome).length;

const count = (persons: number): string => (persons === 1 ? '1 person' : `${persons} persons`);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');

/** Counts the persons whom the checks registered. The persons remain, because the API cannot remove persons. */
const remains = (results: readonly Result[]) => ({ persons: results.reduce((sum, { persons }) => sum + persons, 0) });

/** Prints the table of requirements, then the failed requirements again. */
function printReport(results: readonly Result[]): void {
  printTable(
    ['section', 'requirement', 'result', 'reason'],
    results.map(({ section, requirement, outcome, reason }) =>
      [section, requirement, outcome, oneLine(reason)].map(String),
    ),
  );
  for (const { section, requirement, reason } of results.filter(({ outcome }) => outcome === 'failed')) {
    console.log(`\nfailed: ${section}: ${requirement}\n  ${oneLine(reason)}`);
  }
  const [ok, failed, skipped] = (['ok', 'failed', 'skipped'] as const).map((outcome) => counted(results, outcome));
  console.log(`\n${results.length} requirements: ${ok} ok, ${failed} failed, ${skipped} skipped`);
  console.log(`removed: topics and subscriptions; not removable: ${count(remains(results).persons)}`);
}

function printJson(results: readonly Result[], baseUrl: string): void {
  const [ok, failed, skipped] = (['ok', 'failed', 'skipped'] as const).map((outcome) => counted(results, outcome));
  console.log(JSON.stringify({ baseUrl, ok, failed, skipped, remains: remains(results), results }, null, 2));
}

/** Runs the chosen checks and returns the exit code. */
async function conform(options: Options): Promise<number> {
  const running = await readOutputs();
  const baseUrl = options.baseUrl ?? running[0]?.baseUrl;
  if (baseUrl === undefined)
    throw new OptionError('no stack is running in this folder: pass the base URL of a deployment');
  const here = running.find((one) => one.baseUrl === baseUrl);
  const token = cacheTokens(tokensFor(options, here));
  const chosen = requirements.filter(({ section, requirement }) => `${section}: ${requirement}`.includes(options.only));
  if (chosen.length === 0) throw new OptionError(`no requirement contains "${options.only}"`);
  const { document, mailbox: given } = options;
  const local = isLocal(baseUrl) ? () => `clerk@${unique('conformance')}.example.org` : undefined;
  const mailbox = given === undefined ? local : () => given;
  const inboxUrl = options.inbox ?? here?.inboxUrl;
  const mails = inboxUrl === undefined ? undefined : mailsOf(inboxUrl, options.waitSeconds * 1000);
  // Request a token now, so that a failing token command is reported once instead of once per requirement.
  await token(scopes);
  const receiver = await openReceiver(options, baseUrl);
  const bar = progressBar('requirements', chosen.length);
  const access = { baseUrl, token, receiver, mailbox, mails, document };
  const trying = options.isSmoke ? runSmokeTest(access, chosen, bar.at) : checkRequirements(access, chosen, bar.at);
  const results = await trying.finally(() => {
    bar.end();
    receiver?.stop();
  });
  if (options.isJson) printJson(results, baseUrl);
  else printReport(results);
  return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

const options = readOrEnd(usage, () => readOptions(process.argv.slice(2)));
// The exit code 1 means that a requirement is not met.
process.exitCode = await conform(options).catch((error: Error) => endWith(new OptionError(lineOf(error))));
