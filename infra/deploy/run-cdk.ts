import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SettingError } from '../settings/setting-error.ts';

/** Runs a command of CDK, which speaks for itself. @throws SettingError where it ends badly */
export async function runCdk(command: string, args: readonly string[]): Promise<void> {
  // The script of npm puts the project's own first.
  const child = spawn('cdk', [command, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new SettingError(`cdk ${command} ended with ${code ?? 'a signal'}`);
}
