import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a program until it exits, and returns the exit code and the output. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { input = '', cwd, env = process.env }: Pick<SpawnOptions, 'cwd' | 'env'> & { readonly input?: string } = {},
) {
  const { NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, args, { cwd, env: { NODE_COMPILE_CACHE, ...env }, stdio: 'pipe' });
  child.stdin.end(input);
  const [out, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, complaint };
}
