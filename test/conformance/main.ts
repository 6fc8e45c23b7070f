import { readOutputs } from '../../infra/local/template/outputs-file.ts';
import { OptionError } from '../../infra/operate/command-line.ts';
import { progressBar } from '../bench/terminal.ts';
import { isLocal, unique } from './deployment.ts';
import { mailsOf } from './mails.ts';
import { type Options, readOptions, usage } from './options.ts';
import { startReceiver } from './receiver.ts';
import { printJson, printReport } from './report.ts';
import { runSentences, smoke } from './run.ts';
import { sentences } from './sentences.ts';
import { fromCommand, fromIssuer, keepTokens, scopes } from './tokens.ts';

type Outputs = Awaited<ReturnType<typeof readOutputs>>[number];

function tokensFor({ tokenCommand }: Options, here: Outputs | undefined) {
  if (tokenCommand !== undefined) return fromCommand(tokenCommand);
  if (here === undefined) throw new OptionError('--token-command says how to get an access token there');
  // Its own caller, so that no limit of another run's counts.
  return fromIssuer(here.tokenUrl, unique('conformance'));
}

async function openReceiver({ receiver, receiverPort, waitSeconds }: Options, baseUrl: string) {
  if (receiver !== undefined) return startReceiver(waitSeconds * 1000, receiverPort, receiver);
  return isLocal(baseUrl) ? startReceiver(waitSeconds * 1000) : undefined;
}

/** Runs what the options ask for; answers the exit code. */
async function conform(options: Options): Promise<number> {
  const running = await readOutputs();
  const baseUrl = options.baseUrl ?? running[0]?.baseUrl;
  if (baseUrl === undefined) throw new OptionError('no stack runs in this folder: give the base URL of one');
  const here = running.find((one) => one.baseUrl === baseUrl);
  const token = keepTokens(tokensFor(options, here));
  const chosen = sentences.filter(({ section, sentence }) => `${section}: ${sentence}`.includes(options.only));
  if (chosen.length === 0) throw new OptionError(`no sentence contains "${options.only}"`);
  const { document, mailbox: given } = options;
  const local = isLocal(baseUrl) ? () => `clerk@${unique('conformance')}.example.org` : undefined;
  const mailbox = given === undefined ? local : () => given;
  const inboxUrl = options.inbox ?? here?.inboxUrl;
  const mails = inboxUrl === undefined ? undefined : mailsOf(inboxUrl, options.waitSeconds * 1000);
  // Whoever gets no token hears so once, and not of every sentence.
  await token(scopes);
  const receiver = await openReceiver(options, baseUrl);
  const bar = progressBar('sentences', chosen.length);
  const access = { baseUrl, token, receiver, mailbox, mails, document };
  const trying = options.isSmoke ? smoke(access, chosen, bar.at) : runSentences(access, chosen, bar.at);
  const results = await trying.finally(() => {
    bar.end();
    receiver?.stop();
  });
  if (options.isJson) printJson(results, baseUrl);
  else printReport(results);
  return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') console.log(usage);
  process.exitCode = options === 'help' ? 0 : await conform(options);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
