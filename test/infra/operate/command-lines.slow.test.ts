import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parts } from '../../bench/parts.ts';
import { runProgram } from '../../harness/run-program.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Runs the command of an npm script directly, without its pre-script and without the setup. */
function run([script = '', ...args]: readonly string[]) {
  const [, ...own] = (scripts[script] ?? '')
    .replace('infra/build/setup.mjs ', '')
    .replace(/^exec /, '')
    .split(' ');
  return runProgram(process.execPath, [...own, ...args], { env: { PATH: process.env.PATH } });
}

const commands = [
  ...['start', 'demo', 'console', 'invoke', 'import', 'trace', 'openapi', 'readme', 'cost', 'release'],
  ...['drain', 'destroy', 'describe', 'restore'],
  ...['bench', 'conformance', 'simulate', 'test:mutants'],
].map((script) => [script]);
const ofBench = Object.keys(parts).map((part) => ['bench', part]);

test.each([...commands, ...ofBench].map((command) => [command.join(' '), command]))(
  '%s prints its usage, and for an unknown option prints one line and exits with 2',
  async (_, command) => {
    const usage = expect.stringMatching(new RegExp(`^npm (?:run )?(?:-s )?${command[0]}`));
    expect(await run([...command, '--help'])).toEqual({ code: 0, out: usage, complaint: '' });
    const { code, out, complaint } = await run([...command, '--bogus']);
    expect([code, out]).toEqual([2, '']);
    const asked = command.length > 1 ? `${command.join(' -- ')} --help` : `${command[0]} -- --help`;
    expect(complaint).toMatch(/^Unknown option '--bogus'; npm \S.* lists the options\n$/);
    expect(complaint).toContain(`${asked} lists`);
  },
);

test.each([
  [['start', '--set', 'uinLength=7'], /^setting uinLength \(.*\): must be 8 to 19\n$/],
  [['start', '--stage', 'prd'], /^there is no stage prd: the stages are dev, prod, test; create .*\n$/],
  [['bench', 'warm', '--rounds', 'x'], '--rounds must be a whole number from 1 to 10000000'],
  [['bench', 'colt'], 'there is no part colt; npm run bench -- --help lists the parts'],
  [['openapi', 'registry'], 'registry is not a URL that starts with https://'],
  [['restore', '--stage', 'prd', 'retry'], /^there is no stage prd: .*\n$/],
  [['console', '--port', '1'], 'Name the registry with --url; npm run console -- --help lists the options'],
  [['console', '--url', 'registry'], 'Add --token-command; npm run console -- --help lists the options'],
  [['drain'], 'Name the stage; npm run drain -- --help lists the options'],
  [['drain', '--stage', 'prd'], 'there is no stage prd: the stages are dev, prod, test'],
  [['destroy', '--stage', 'dev', '--yes'], '--yes needs --account with the number of the account'],
  [['import'], 'Name a file; npm run -s import -- --help lists the options'],
  [['invoke'], 'Name a job; npm run -s invoke -- --help lists the options'],
  [['import', '--port', '--stack'], /^Option '--port' argument is ambiguous; npm .* lists the options\n$/],
])('the command line %j is rejected with a one-line message and exit code 2', async (command, complaint) => {
  const line = typeof complaint === 'string' ? `${complaint}\n` : expect.stringMatching(complaint);
  expect(await run(command)).toEqual({ code: 2, out: '', complaint: line });
});
