import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parts } from '../../bench/parts.ts';
import { runProgram } from '../../harness/run-program.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Runs the command of an npm script directly, without pre-scripts. */
function run([script = '', ...args]: readonly string[]) {
  const [, ...own] = (scripts[script] ?? '').replace(/^exec /, '').split(' ');
  return runProgram(process.execPath, [...own, ...args], { env: { PATH: process.env.PATH } });
}

const commands = [
  ...['start', 'demo', 'invoke', 'import', 'trace', 'openapi', 'readme', 'cost', 'release', 'after-restore'],
  ...['bench', 'conformance', 'simulate'],
].map((script) => [script]);
// These commands exit with 1 when a check fails, so they exit with 2 for incorrect usage.
const untried = ['conformance', 'simulate'];
const ofBench = Object.keys(parts).map((part) => ['bench', part]);

test.each([...commands, ...ofBench].map((command) => [command.join(' '), command]))(
  '%s prints its usage, and rejects an unknown option with one line',
  async (_, command) => {
    expect(await run([...command, '--help'])).toEqual({
      code: 0,
      out: expect.stringMatching(new RegExp(`^npm (?:run )?(?:-s )?${command[0]}`)),
      complaint: '',
    });
    const { code, out, complaint } = await run([...command, '--bogus']);
    expect([code, out]).toEqual([untried.includes(command[0] ?? '') ? 2 : 1, '']);
    const asked = command.length > 1 ? `${command.join(' -- ')} --help` : `${command[0]} -- --help`;
    expect(complaint).toMatch(/^Unknown option '--bogus'; npm \S.* lists the options\n$/);
    expect(complaint).toContain(`${asked} lists`);
  },
);

test.each([
  [['bench', 'warm', '--rounds', 'x'], '--rounds must be a whole number from 1 to 10000000'],
  [['bench', 'warm', '--rounds', '0'], '--rounds must be a whole number from 1 to 10000000'],
  [['bench', 'delivery', '--only', 'a,e'], '--only: unknown name e; known names are a, b'],
  [['bench', 'colt'], 'there is no part colt; npm run bench -- --help lists the parts'],
  [['openapi', 'registry'], 'registry is not a URL: it must start with https://'],
  [['trace', 'a', 'b'], "Unexpected argument 'b'; npm run -s trace -- --help lists the options"],
  [
    ['import', '--port', '--stack'],
    "Option '--port' argument is ambiguous; npm run -s import -- --help lists the options",
  ],
])('the command line %j is rejected with a one-line message', async (command, complaint) => {
  expect(await run(command)).toEqual({ code: 1, out: '', complaint: `${complaint}\n` });
});

test.each([[['import']], [['after-restore', '--stage', 'prod']]])(
  'the command line %j lacks an argument, so it prints its usage',
  async (command) => {
    const complaint = expect.stringMatching(new RegExp(`^npm run -s ${command[0]} -- `));
    expect(await run(command)).toEqual({ code: 1, out: '', complaint });
  },
);
