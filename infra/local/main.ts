import { scopes } from '../../shared/contract/scopes.ts';
import type { LocalSettings } from '../build/synthesize.ts';
import { endWith, readOrEnd } from '../operate/command-line.ts';
import { readStage } from '../settings/read-stage.ts';
import { findFreePort } from './aws/emulators/ports.ts';
import { readNotEmulated } from './aws/template/not-emulated.ts';
import { type LocalOutputs, writeOutputs } from './aws/template/outputs.ts';
import { createConsole } from './console/console.ts';
import { jsonLine, type StackListener } from './console/events.ts';
import { createPaint, type Paint } from './console/terminal.ts';
import { openLiveCode } from './dev/live-code.ts';
import { help, readOptions } from './options.ts';
import { createProgress } from './progress.ts';
import { onShutdown, temporaryFolder } from './shutdown.ts';
import { startLocalStack } from './start.ts';
import { describeStartError } from './start-error.ts';

export function banner({ baseUrl, tokenUrl, inboxUrl }: LocalOutputs, outputsFile: string, paint: Paint): string {
  return [
    '',
    `  ${paint.bold('Console')} ${baseUrl}/   (in a browser)`,
    `  ${paint.bold('API')}     ${baseUrl}/v1`,
    `  ${paint.bold('Token')}   ${tokenUrl}`,
    `  ${paint.bold('Inbox')}   ${inboxUrl}`,
    `  ${paint.bold('More')}    ${outputsFile}`,
    '',
    `  ${paint.dim('A token for everything:')}`,
    `  curl -s -u me:secret -d grant_type=client_credentials \\`,
    `    -d scope='${Object.keys(scopes).join(' ')}' \\`,
    `    ${tokenUrl}`,
    '',
    `ready ${baseUrl}`,
  ].join('\n');
}

function createPrinter(isJson: boolean): StackListener {
  const format = createConsole(createPaint(process.stdout, process.env));
  return (event) => {
    const line = isJson ? jsonLine(event) : format(event, new Date());
    if (line !== undefined) console.log(line);
  };
}

async function synthesize(settings: LocalSettings, onStep: (step: string) => void) {
  const { synthesizeLocally } = await import('../build/synthesize.ts');
  const assembly = await synthesizeLocally(settings, onStep);
  onStep('starting the functions ...');
  return assembly;
}

async function main(): Promise<void> {
  // Functions run in UTC on Lambda. Worker threads use the time zone of this process.
  process.env.TZ = 'UTC';
  const options = readOrEnd(help, () => readOptions(process.argv.slice(2), process.env));
  const { isJson, isVerbose, isWatching, inspected, settings: given, ...stackOptions } = options;
  // Restored resources exist only on AWS, so the local stack creates its own resources.
  const chosen = { ...given, restored: '' };
  // Reports an invalid setting before the stack starts.
  await readStage(chosen, true);
  const port = await findFreePort(options.port);
  const settings = { ...chosen, baseUrl: `http://127.0.0.1:${port}`, outdir: temporaryFolder('local-stack-') };
  // With --json, only events are printed to standard output.
  const [stream, print] = isJson ? [process.stderr, console.error] : [process.stdout, console.log];
  const paint = createPaint(stream, process.env);
  const progress = createProgress(stream, paint)('starting the stack:');
  const onEvent = createPrinter(isJson);
  // Registers the shutdown handler first, so that a signal during the start stops all parts that are already running.
  const shutdown = onShutdown(async () => {
    progress.clear();
    await live?.stop();
    // Ignores a failed start, because `startLocalStack` has already stopped all parts.
    const stack = await starting.catch(() => undefined);
    await stack?.stop();
  });
  // Reloading and debugging use development bundles, which are readable and fast to build.
  const live = isWatching || inspected !== undefined ? openLiveCode(settings, isWatching) : undefined;
  const assembly = live?.assembly ?? synthesize(settings, progress.update);
  const code = live && { folderOf: live.folderOf, ...(inspected !== undefined && { inspected }) };
  const starting = startLocalStack({
    ...stackOptions,
    onEvent,
    port,
    assembly,
    hasConsole: true,
    ...(code && { code }),
  }).finally(progress.clear);

  const stack = await starting.catch((error: unknown) => {
    if (!shutdown.aborted) throw error;
  });
  if (!stack || shutdown.aborted) return;
  print(banner(stack.outputs, await writeOutputs(stack.outputs), paint));
  const { lines } = isVerbose ? await readNotEmulated(await assembly) : { lines: [] };
  for (const line of lines) print(paint.dim(`not emulated: ${line}`));
  if (isWatching) live?.attach(stack, { onEvent: onEvent, onMounted: () => writeOutputs(stack.outputs) });
}

main().catch((error: unknown) => {
  endWith(error, describeStartError(error));
});
