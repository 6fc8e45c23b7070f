import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LocalSettings } from '../../build/synthesize.ts';
import type { FunctionSource } from '../../esbuild-options.ts';
import type { Assembly } from '../aws/template/template.ts';

/** A stack without code, and what its code is made of. */
export interface Plan {
  assembly: Assembly;
  functions: FunctionSource[];
  /** The sources that the template follows from, as paths of the repository. */
  sources: string[];
}

/**
 * Synthesizes in a process of its own, since a process loads a source once and a contract changes.
 * @throws an Error in one line where a source has one
 */
export async function synthesizeApart(settings: LocalSettings, signal: AbortSignal): Promise<Plan> {
  const child = fork(fileURLToPath(new URL('./synthesize-child.ts', import.meta.url)), [JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal,
  });
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint += chunk;
  });
  let plan: Plan | undefined;
  child.on('message', (message) => {
    plan = message as Plan;
  });
  await once(child, 'close');
  if (plan) return plan;
  const lines = complaint.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines[0] ?? 'the synthesis ended without a word';
  // Node.js puts the file and the line first.
  const place = lines.find((line) => /^(?:file:\/\/)?\/.*:\d+$/.test(line));
  throw new Error([place?.replace(/^file:\/\//, ''), reason].filter(Boolean).join(' '));
}
