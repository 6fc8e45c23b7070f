import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { OptionError, parseArguments, readNumber } from '../../../infra/operate/command-line.ts';
import { editsVariable } from './mode.ts';
import { mutations, survivors } from './mutations.ts';

const options = {
  mutations: { type: 'boolean' },
  list: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  seeds: { type: 'string', default: '300' },
  from: { type: 'string', default: '1' },
  jobs: { type: 'string', default: String(availableParallelism()) },
} as const;

const main = join(import.meta.dirname, '..', 'main.ts');
const leastShare = 0.9;

/**
 * The first violation that the judge found, and the number of seeds simulated up to that point. Undefined if no
 * violation was found.
 */
type Catch = { readonly mode: 'normal' | 'small'; readonly seeds: string; readonly invariant: string } | undefined;

function play(name: string, mode: 'normal' | 'small', range: readonly string[]): Promise<Catch> {
  const memory = process.execArgv.filter((flag) => flag.startsWith('--max'));
  const small = mode === 'small' ? ['--small'] : [];
  const args = [...memory, main, '--chaos', '--first', '--jobs', '1', ...range, ...small];
  const child = spawn(process.execPath, args, { env: { ...process.env, [editsVariable]: name } });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const [, invariant] = /violates "([^"]+)"/.exec(output) ?? [];
      const [, seeds = '?'] = /^([\d,]+) seeds/m.exec(output) ?? [];
      if (invariant !== undefined) resolve({ mode, seeds, invariant });
      else if (code === 0) resolve(undefined);
      else reject(new Error(`the simulator failed with the mutation ${name}: ${output.slice(-2000)}`));
    });
  });
}

async function score(name: string, range: readonly string[]): Promise<Catch> {
  return (await play(name, 'normal', range)) ?? (await play(name, 'small', range));
}

/**
 * Simulates seeds in both modes for each mutation of the engine, and prints which mutations the judge caught. Returns
 * the exit code: 0 if at least 90 % were caught and each survivor is explained.
 */
export async function mutationMode(args: readonly string[]): Promise<number> {
  const { values } = parseArguments(args, options, 'npm run simulate -- --help');
  const only = values.only.split(',').filter((name) => name !== '');
  const unknown = only.filter((name) => !Object.hasOwn(mutations, name));
  if (unknown.length > 0) throw new OptionError(`--only must contain names from --list, not ${unknown.join(', ')}`);
  const names = only.length > 0 ? only : Object.keys(mutations);
  if (values.list) {
    for (const name of names) console.log(name);
    return 0;
  }
  const jobs = readNumber('jobs', values.jobs, 1, 64);
  const seeds = readNumber('seeds', values.seeds, 1, 1_000_000);
  const range = ['--seeds', `${seeds}`, '--from', `${readNumber('from', values.from, 0, Number.MAX_SAFE_INTEGER)}`];
  const waiting = [...names];
  const caught: string[] = [];
  const survived: string[] = [];
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const found = await score(name, range);
      if (found === undefined) survived.push(name);
      else caught.push(name);
      console.log(
        found === undefined
          ? `${name}: survived ${values.seeds} seeds of each mode: ${survivors[name] ?? 'UNEXPLAINED'}`
          : `${name}: caught after ${found.seeds} seeds (${found.mode} mode, "${found.invariant}")`,
      );
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  console.log(`${caught.length} of ${names.length} mutations were caught`);
  const isExplained = survived.every((name) => Object.hasOwn(survivors, name));
  return isExplained && caught.length >= leastShare * names.length ? 0 : 1;
}
