import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FunctionSource } from '../../build/esbuild-options.ts';
import type { LocalSettings } from '../../build/synthesize.ts';
import type { Assembly } from '../aws/template/template.ts';

export interface Plan {
  assembly: Assembly;
  functions: FunctionSource[];
  sources: string[];
}

/**
 * Synthesizes the stacks in a child process, because this process has already loaded the modules and would not load
 * changed sources.
 * @throws Error with one line if a source has an error
 */
export async function synthesizeInChild(settings: LocalSettings, signal: AbortSignal): Promise<Plan> {
  const child = fork(fileURLToPath(new URL('./synthesize-child.ts', import.meta.url)), [JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal,
  });
  let errorOutput = '';
  child.stderr?.on('data', (chunk) => {
    errorOutput += chunk;
  });
  let plan: Plan | undefined;
  child.on('message', (message) => {
    plan = message as Plan;
  });
  await once(child, 'close');
  if (plan) return plan;
  const lines = errorOutput.split('\n').filter((line) => line.trim() !== '');
  const reason =
    lines.find((line) => /^\w*Error\b/.test(line)) ?? lines[0] ?? 'the synthesis failed without an error message';
  // Node.js prints the file name and line number before the error.
  const place = lines.find((line) => /^(?:file:\/\/)?\/.*:\d+$/.test(line));
  throw new Error([place?.replace(/^file:\/\//, ''), reason].filter(Boolean).join(' '));
}
