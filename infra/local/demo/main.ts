import { endWith, readOrEnd } from '../../operate/command-line.ts';
import { findFreePort } from '../aws/emulators/ports.ts';
import { writeOutputs } from '../aws/template/outputs.ts';
import { createConsole } from '../console/console.ts';
import { parseLine, type StackEvent } from '../console/events.ts';
import { createPaint } from '../console/terminal.ts';
import { createProgress } from '../progress.ts';
import { onShutdown, temporaryFolder } from '../shutdown.ts';
import { startLocalStack } from '../start.ts';
import { describeStartError } from '../start-error.ts';
import type { Check } from './checks.ts';
import { runDemo } from './demo.ts';
import { help, readDemoOptions } from './options.ts';

const paint = createPaint(process.stdout, process.env);
// On a terminal, a printed line replaces the current progress line.
const print = (line: string): void => console.log(`${process.stdout.isTTY ? '\r\u001b[K' : ''}${line}`);

const isInternalError = (event: StackEvent): boolean =>
  event.kind === 'failure' || (event.kind === 'log' && parseLine(event.line)?.level === 'ERROR');

/** Prints only internal errors, because the console in the browser shows all other events. */
function watchErrors() {
  const format = createConsole(paint);
  let errors = 0;
  return {
    onEvent(event: StackEvent): void {
      const line = isInternalError(event) ? format(event, new Date()) : undefined;
      if (line === undefined) return;
      errors += 1;
      print(line);
    },
    check: (): Check => ({
      isGood: errors === 0,
      text: errors === 0 ? 'no function reported an error' : `functions reported ${errors} errors. See the red lines.`,
    }),
  };
}

async function main(): Promise<void> {
  process.env.TZ = 'UTC';
  const options = readOrEnd(help, () => readDemoOptions(process.argv.slice(2)));
  const port = await findFreePort(options.port);
  const startProgress = createProgress(process.stdout, paint);
  const starting = startProgress('starting the stack:');
  const outdir = temporaryFolder('demo-');
  const errorWatch = watchErrors();
  const { synthesizeLocally } = await import('../../build/synthesize.ts');
  const assembly = synthesizeLocally({ baseUrl: `http://127.0.0.1:${port}`, outdir }, starting.update);
  const stackStarting = startLocalStack({ assembly, port, hasConsole: true, onEvent: errorWatch.onEvent }).finally(
    starting.clear,
  );
  const shutdown = onShutdown(async () => {
    const stack = await stackStarting.catch(() => undefined);
    await stack?.stop();
  });
  try {
    const stack = await stackStarting;
    print(`\n  ${paint.bold('Console')} ${stack.outputs.baseUrl}/   (in a browser)`);
    print(`  ${paint.bold('Inbox')}   ${stack.outputs.inboxUrl}`);
    print(`  ${paint.bold('More')}    ${await writeOutputs(stack.outputs)}\n`);
    const output = { print, startProgress, paint, isTerminal: process.stdout.isTTY, signal: shutdown };
    const checks = [...(await runDemo(stack, options, output)), errorWatch.check()];
    print(paint.bold(`  Results of the year, ${Math.round(performance.now() / 1000)} s after the start`));
    for (const { isGood, text } of checks)
      print(isGood ? `  ${paint.green('ok')}  ${text}` : `  ${paint.red('FAILED')}  ${text}`);
    if (checks.some(({ isGood }) => !isGood)) process.exitCode = 1;
    if (options.isEnding) {
      await stack.stop();
      process.exit();
    }
    print('\n  The stack keeps running: open the console, or use npm run import and npm run invoke. Ctrl-C stops it.');
  } catch (error) {
    // Stopping the demo is not an error.
    if (!shutdown.aborted) throw error;
  }
}

main().catch((error: unknown) => {
  endWith(error, describeStartError(error));
});
