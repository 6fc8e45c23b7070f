import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs the AWS CLI, and returns its output. */
export type Aws = (...args: readonly string[]) => Promise<string>;

const run = promisify(execFile);

/** Opens the AWS CLI for a Region. The names of its errors are those of AWS, such as `AccessDeniedException`. */
export const openAws =
  (region: string): Aws =>
  async (...args) => {
    try {
      // The AWS SDK, which checks the account, does not read this variable.
      const env = { ...process.env, AWS_DEFAULT_PROFILE: undefined };
      return (await run('aws', ['--region', region, ...args], { env, maxBuffer: 100e6 })).stdout;
    } catch (error) {
      const { stderr = '', message, code } = error as Error & { readonly stderr?: string; readonly code?: unknown };
      const failure = new Error(stderr.trim() || message);
      const name = code === 'ENOENT' ? 'the AWS CLI is not installed' : /\((\w+)\)/.exec(stderr)?.[1];
      throw name === undefined ? failure : Object.assign(failure, { name });
    }
  };

/** Returns the output of a command as JSON; undefined if the resource does not exist. */
export async function readJson<T>(aws: Aws, ...command: readonly string[]): Promise<T | undefined> {
  try {
    return JSON.parse((await aws(...command, '--output', 'json')) || '{}') as T;
  } catch (error) {
    if (/NotFound/.test((error as Error).name)) return undefined;
    throw error;
  }
}
