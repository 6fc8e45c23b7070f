import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isGone } from '../../../infra/local/ancestors.ts';
import type { LocalOutputs } from '../../../infra/local/outputs.ts';

const root = join(import.meta.dirname, '../../..');
const parts = ['package.json', 'package-lock.json', 'cdk.json', 'infra', 'functions', 'shared', 'node_modules'];
let folder: string;
const started: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ending-'));
  for (const part of parts) symlinkSync(join(root, part), join(folder, part));
});
afterAll(() => {
  for (const npm of started) npm.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const read = (file: string) => JSON.parse(readFileSync(join(folder, '.local', file), 'utf8')) as LocalOutputs;

/** `npm start` in the folder; resolves when the stack is ready. */
async function npmStart(args = ['start', '--ignore-scripts', '--', '--port', '0']): Promise<ChildProcess> {
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

test('stacks beside each other each end by a signal to their npm, with all their processes and their own file', async () => {
  const first = await npmStart();
  const { baseUrl, processId } = read('outputs.json');
  const second = await npmStart();
  const [other = '', ...more] = readdirSync(join(folder, '.local')).filter((file) => file !== 'outputs.json');
  expect([other, more]).toEqual([expect.stringMatching(/^outputs-\d+\.json$/), []]);
  const [ofFirst, ofSecond] = [family(first.pid ?? 0), family(second.pid ?? 0)];
  expect(ofFirst).toContain(processId);
  expect(ofSecond).toContain(read(other).processId);

  second.kill('SIGINT');
  await expect.poll(() => living(ofSecond), { timeout: 10_000 }).toEqual([]);
  expect(readdirSync(join(folder, '.local'))).toEqual(['outputs.json']);
  expect((await fetch(baseUrl)).status).toBe(404);

  first.kill('SIGTERM');
  await expect.poll(() => living(ofFirst), { timeout: 10_000 }).toEqual([]);
  expect(readdirSync(join(folder, '.local'))).toEqual([]);
}, 120_000);

test('a stack ends when an npm above it is killed, whatever stands between', async () => {
  const npm = await npmStart(['exec', '-c', 'npm start --ignore-scripts -- --port 0; true']);
  const [killed, ...others] = family(npm.pid ?? 0);
  expect(others).toContain(read('outputs.json').processId);
  npm.kill('SIGKILL');
  await expect.poll(() => living([killed ?? 0, ...others]), { timeout: 10_000 }).toEqual([]);
  expect(readdirSync(join(folder, '.local'))).toEqual([]);
}, 120_000);
