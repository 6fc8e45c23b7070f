import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isGone } from '../../../infra/local/ancestors.ts';
import type { LocalOutputs } from '../../../infra/local/outputs.ts';

const root = join(import.meta.dirname, '../../..');
const parts = ['package.json', 'package-lock.json', 'cdk.json', 'infra', 'functions', 'shared', 'node_modules'];
let folder: string;
let local: string;
const started: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ending-'));
  local = join(folder, '.local');
  for (const part of parts) symlinkSync(join(root, part), join(folder, part));
});
afterAll(() => {
  for (const npm of started) npm.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const read = (file: string) => JSON.parse(readFileSync(join(local, file), 'utf8')) as LocalOutputs;

/** `npm start` in the folder; resolves when the stack is ready. */
async function npmStart(args: string[]): Promise<ChildProcess> {
  const npm = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(npm);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    npm.stdout?.on('data', (chunk) => {
      said += chunk;
      if (/^ready http/m.test(said)) resolve();
    });
    npm.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    npm.once('exit', () => reject(new Error(said)));
  });
  return npm;
}

/** A process and all below it. */
function family(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    rows.flatMap(([child = 0, its]) => (its === parent ? [child, ...below(child)] : []));
  return [pid, ...below(pid)];
}

const living = (pids: number[]) => pids.filter((pid) => !isGone(pid));

test('of two stacks in a folder each ends with its npm, with all its processes and its own file', async () => {
  const first = await npmStart(['start', '--ignore-scripts', '--', '--port', '0']);
  const { baseUrl, processId } = read('outputs.json');
  // An npm that calls another, with a shell between them.
  const second = await npmStart(['exec', '-c', 'npm start --ignore-scripts -- --port 0; true']);
  const [other = '', ...more] = readdirSync(local).filter((file) => file !== 'outputs.json');
  expect([other, more]).toEqual([expect.stringMatching(/^outputs-\d+\.json$/), []]);
  const [ofFirst, ofSecond] = [family(first.pid ?? 0), family(second.pid ?? 0)];
  expect(ofFirst).toContain(processId);
  expect(ofSecond).toContain(read(other).processId);

  second.kill('SIGKILL');
  await expect.poll(() => living(ofSecond), { timeout: 10_000 }).toEqual([]);
  expect(readdirSync(local)).toEqual(['outputs.json']);
  expect((await fetch(baseUrl)).status).toBe(404);

  first.kill('SIGTERM');
  await expect.poll(() => living(ofFirst), { timeout: 10_000 }).toEqual([]);
  expect(readdirSync(local)).toEqual([]);
}, 120_000);

/** A process that takes its time to end. */
async function startSlow(): Promise<{ child: ChildProcess; said: () => string }> {
  const ending = pathToFileURL(join(root, 'infra/local/ending.ts'));
  const code = `import { whenEnding } from '${ending}';
    whenEnding(async () => { console.log('ending'); await new Promise((go) => setTimeout(go, 1500)); console.log('ended'); });
    setInterval(() => {}, 1000);
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  await expect.poll(() => said, { timeout: 10_000 }).toBe('ready\n');
  return { child, said: () => said };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends once, however often it comes at a time',
  async (signal) => {
    const { child, said } = await startSlow();
    const exit = once(child, 'exit');
    child.kill(signal);
    child.kill(signal);
    expect(await exit).toEqual([0, null]);
    expect(said()).toBe('ready\nending\nended\n');
  },
);

test('a second Ctrl-C does not wait', async () => {
  const { child, said } = await startSlow();
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  await sleep(700);
  child.kill('SIGINT');
  expect(await exit).toEqual([130, null]);
  expect(said()).toBe('ready\nending\n');
});
