import type { LocalSettings } from '../build/synthesize.ts';
import { findFreePort } from './aws/emulators/ports.ts';
import { readLeftOut } from './aws/template/not-emulated.ts';
import { banner } from './console/banner.ts';
import { createConsole } from './console/console.ts';
import type { StackListener } from './console/events.ts';
import { jsonLine } from './console/json-line.ts';
import { createPaint } from './console/terminal.ts';
import { openLiveCode } from './dev/live-code.ts';
import { whenEnding } from './ending.ts';
import { explainStart } from './explain-start.ts';
import { help, readOptions } from './options.ts';
import { startLocalStack } from './start.ts';
import { writeOutputs } from './template/outputs-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Shows what happens: one object an event for programs, one readable line for people. */
function showing(isJson: boolean): StackListener {
  const format = createConsole(createPaint(process.stdout, process.env));
  return (event) => {
    const line = isJson ? jsonLine(event) : format(event, new Date());
    if (line !== undefined) console.log(line);
  };
}

/** The whole of it, with the bundles that the cloud would get. */
async function synthesize(settings: LocalSettings) {
  const { synthesizeLocally } = await import('../build/synthesize.ts');
  return synthesizeLocally(settings);
}

async function main(): Promise<void> {
  // Lambda's clock shows UTC; worker threads share the process's time zone.
  process.env.TZ = 'UTC';
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === 'help') {
    console.log(help);
    return;
  }
  const { isJson, isWatching, inspected, stage, ...where } = options;
  const port = await findFreePort(options.port);
  const outdir = temporaryFolder('local-stack-');
  // Where programs read the standard output, nothing but events goes there.
  const [stream, say] = isJson ? [process.stderr, console.error] : [process.stdout, console.log];
  const paint = createPaint(stream, process.env);
  const progress = setTimeout(() => say(paint.dim('synthesizing the stack ...')), 2000);

  const settings = {
    baseUrl: `http://127.0.0.1:${port}`,
    outdir,
    ...(stage !== undefined && { stage }),
  };
  const onEvent = showing(isJson);
  // Before anything is begun that has to be ended.
  const ending = whenEnding(async () => {
    clearTimeout(progress);
    await live?.stop();
    // A start that failed has cleaned up, and one that was given up has nothing to explain.
    const stack = await starting.catch(() => undefined);
    await stack?.stop();
  });
  // A debugger shows code as it was written, and a save is to be served at once: both want other bundles than the cloud.
  const live = isWatching || inspected !== undefined ? openLiveCode(settings, isWatching) : undefined;
  const assembly = live?.assembly ?? synthesize(settings);
  const code = live && { folderOf: live.folderOf, ...(inspected !== undefined && { inspected }) };
  const starting = startLocalStack({ ...where, onEvent, port, assembly, hasConsole: true, ...(code && { code }) });

  const stack = await starting.catch((error: unknown) => {
    if (!ending.aborted) throw error;
  });
  if (!stack || ending.aborted) return;
  clearTimeout(progress);
  for (const line of (await readLeftOut(await assembly)).lines) say(paint.dim(`not here: ${line}`));
  say(banner(stack.outputs, await writeOutputs(stack.outputs), paint));
  if (isWatching) live?.follow(stack, { tell: onEvent, onMounted: () => writeOutputs(stack.outputs) });
}

main().catch((error: unknown) => {
  console.error(createPaint(process.stderr, process.env).red(explainStart(error)));
  process.exit(1);
});
