import { findFreePort } from '../aws/emulators/ports.ts';
import { createConsole } from '../console/console.ts';
import type { StackEvent } from '../console/events.ts';
import { parseLine } from '../console/parse-line.ts';
import { createPaint } from '../console/terminal.ts';
import { whenEnding } from '../ending.ts';
import { explainStart } from '../explain-start.ts';
import { startLocalStack } from '../start.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Check } from './checks.ts';
import { runDemo } from './demo.ts';
import { help, readDemoOptions } from './options.ts';
import { createProgress } from './progress.ts';

const paint = createPaint(process.stdout, process.env);
const say = (line: string): void => console.log(line);

const isFault = (event: StackEvent): boolean =>
  event.kind === 'failure' || (event.kind === 'log' && parseLine(event.line)?.level === 'ERROR');

/** Tells of faults alone: the console in the browser shows everything. */
function watchFaults() {
  const format = createConsole(paint);
  let faults = 0;
  return {
    onEvent(event: StackEvent): void {
      const line = isFault(event) ? format(event, new Date()) : undefined;
      if (line === undefined) return;
      faults += 1;
      say(line);
    },
    check: (): Check => ({
      isGood: faults === 0,
      text: faults === 0 ? 'no function has failed' : `functions have failed ${faults} times: see the lines in red`,
    }),
  };
}

async function main(): Promise<void> {
  process.env.TZ = 'UTC';
  const options = readDemoOptions(process.argv.slice(2));
  if (options === 'help') return say(help);
  const port = await findFreePort(options.port);
  const begin = createProgress(process.stdout, paint);
  const starting = begin('the stack');
  const outdir = temporaryFolder('demo-');
  const faults = watchFaults();
  const { synthesizeLocally } = await import('../../build/synthesize.ts');
  const assembly = synthesizeLocally({ baseUrl: `http://127.0.0.1:${port}`, outdir });
  const stackStarting = startLocalStack({ assembly, port, hasConsole: true, onEvent: faults.onEvent });
  const ending = whenEnding(async () => {
    const stack = await stackStarting.catch(() => undefined);
    await stack?.stop();
  });
  try {
    const stack = await stackStarting;
    starting.done('runs');
    say(`\n  ${paint.bold('Console')} ${stack.outputs.baseUrl}/   (in a browser)`);
    say(`  ${paint.bold('Inbox')}   ${stack.outputs.inboxUrl}\n`);
    const checks = [...(await runDemo(stack, options, { say, begin, paint, signal: ending })), faults.check()];
    for (const { isGood, text } of checks)
      say(isGood ? `  ${paint.green('right')}  ${text}` : `  ${paint.red('WRONG')}  ${text}`);
    if (checks.some(({ isGood }) => !isGood)) process.exitCode = 1;
    if (options.isEnding) {
      await stack.stop();
      process.exit();
    }
    say('\n  It goes on running: look at the console and the inbox. Ctrl-C ends it.');
  } catch (error) {
    // Whoever has ended it knows.
    if (!ending.aborted) throw error;
  }
}

main().catch((error: unknown) => {
  console.error(createPaint(process.stderr, process.env).red(explainStart(error)));
  process.exit(1);
});
