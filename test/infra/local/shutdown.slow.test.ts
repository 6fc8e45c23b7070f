import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalOutputs } from '../../../infra/local/aws/template/outputs.ts';
import { hasExited } from '../../../infra/local/npm-ancestors.ts';

const root = join(import.meta.dirname, '../../..');
const parts = ['package.json', 'cdk.json', 'infra', 'functions', 'shared', 'node_modules'];
let folder: string;
let local: string;
const started: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ending-'));
  local = join(folder, '.local');
  for (const part of parts) symlinkSync(join(root, part), join(folder, part));
  // The linked packages are newer than this lock file, so that setup installs nothing.
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  utimesSync(join(folder, 'package-lock.json'), 0, 0);
});
afterAll(() => {
  for (const npm of started) npm.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const read = (file: string) => JSON.parse(readFileSync(join(local, file), 'utf8')) as LocalOutputs;

/** Runs npm. Resolves when the program that npm starts is ready. */
async function npmStart(args: string[], cwd = folder): Promise<ChildProcess> {
  const npm = spawn('npm', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(npm);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    npm.stdout?.on('data', (chunk) => {
      output += chunk;
      if (/^ready/m.test(output)) resolve();
    });
    npm.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    npm.once('exit', () => reject(new Error(output)));
  });
  return npm;
}

/** Returns the IDs of a process and all its descendants. */
function family(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    rows.flatMap(([child = 0, its]) => (its === parent ? [child, ...below(child)] : []));
  return [pid, ...below(pid)];
}

const living = (pids: number[]) => pids.filter((pid) => !hasExited(pid));

const ours = (file: string) => pathToFileURL(join(root, 'infra/local', file)).href;

/** Creates a project that starts faster than a stack but shuts down like a stack. */
function aLightProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'light-'));
  writeFileSync(join(project, 'package.json'), '{"scripts":{"start":"exec node main.mjs"}}');
  const code = `import { createServer } from 'node:http';
    import { onShutdown } from '${ours('shutdown.ts')}';
    import { writeOutputs } from '${ours('aws/template/outputs.ts')}';
    const server = createServer().listen(0, '127.0.0.1', async () => {
      onShutdown(async () => server.close());
      const baseUrl = 'http://127.0.0.1:' + server.address().port;
      await writeOutputs({ baseUrl, processId: process.pid }, '${local}');
      console.log('ready');
    });`;
  writeFileSync(join(project, 'main.mjs'), code);
  return project;
}

test("when a stack's npm process ends, all processes of the stack end and its outputs file is deleted", async () => {
  const stack = await npmStart(['start', '--', '--port', '0']);
  const { baseUrl, processId } = read('outputs.json');
  const beside = await npmStart(['exec', '-c', 'npm start; true'], aLightProject());
  const [other = '', ...more] = readdirSync(local).filter((file) => file !== 'outputs.json');
  expect([other, more]).toEqual([expect.stringMatching(/^outputs-\d+\.json$/), []]);
  const [ofStack, ofBeside] = [family(stack.pid ?? 0), family(beside.pid ?? 0)];
  expect(ofStack).toContain(processId);
  expect(ofBeside).toContain(read(other).processId);

  beside.kill('SIGKILL');
  await expect.poll(() => living(ofBeside)).toEqual([]);
  expect(readdirSync(local)).toEqual(['outputs.json']);
  expect((await fetch(`${baseUrl}/v1/health`)).status).toBe(200);

  stack.kill('SIGTERM');
  await expect.poll(() => living(ofStack)).toEqual([]);
  expect(readdirSync(local)).toEqual([]);
});

test.each([[[]], [['--watch']]])('a stack that is stopped during startup prints no error message: %j', async (args) => {
  const main = join(root, 'infra/local/main.ts');
  const stack = spawn(process.execPath, [main, '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(stack);
  const output = Promise.all([text(stack.stdout), text(stack.stderr)]);
  // The stack is starting once its first child process is running.
  await expect.poll(() => family(stack.pid ?? 0).length).toBeGreaterThan(1);
  stack.kill('SIGINT');
  expect(await once(stack, 'exit')).toEqual([0, null]);
  const progress = (words: string) => expect.stringMatching(new RegExp(`^( *${words}.* \\.\\.\\.\n)*$`));
  expect(await output).toEqual([progress('starting the stack:'), progress('stopping')]);
});

/** Starts a process whose shutdown takes some time. */
async function startSlow(ms: number): Promise<{ child: ChildProcess; output: () => string }> {
  const code = `import { onShutdown } from '${ours('shutdown.ts')}';
    onShutdown(async () => { console.log('ending'); await new Promise((go) => setTimeout(go, ${ms})); console.log('ended'); });
    setInterval(() => {}, 1000);
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output).toBe('ready\n');
  return { child, output: () => output };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s runs the shutdown only once, even if the signal is repeated',
  async (signal) => {
    const { child, output } = await startSlow(1500);
    const exit = once(child, 'exit');
    child.kill(signal);
    child.kill(signal);
    expect(await exit).toEqual([0, null]);
    expect(output()).toBe('ready\nending\nended\n');
  },
);

test('a second Ctrl-C exits immediately', async () => {
  const { child, output } = await startSlow(600_000);
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  await expect.poll(output).toBe('ready\nending\n');
  await sleep(700);
  child.kill('SIGINT');
  expect(await exit).toEqual([130, null]);
  expect(output()).toBe('ready\nending\n');
});
