import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a program until it exits, and returns the exit code and the output. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { input = '', ...options }: Pick<SpawnOptions, 'cwd' | 'env'> & { readonly input?: string } = {},
) {
  const child = spawn(program, args, { ...options, stdio: 'pipe' });
  child.stdin.end(input);
  const [out, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, complaint };
}
