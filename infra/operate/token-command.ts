import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Returns the token in the output of a command or an issuer. The output is a token, or a JSON response that contains a
 * token.
 */
export function tokenIn(printed: string): string {
  const text = printed.trim();
  const token: unknown = text.startsWith('{') ? JSON.parse(text).access_token : text;
  if (typeof token !== 'string' || !/^[\w.~+/=-]+$/.test(token)) throw new Error('the token command printed no token');
  return token;
}

/**
 * Requests a token with a shell command. The scopes replace `{scopes}` in the command, and are also passed in the
 * environment variable SCOPES.
 */
export const fromCommand =
  (command: string) =>
  async (wanted: readonly string[]): Promise<string> => {
    const words = wanted.join(' ');
    const given = command.replaceAll('{scopes}', words);
    const run = promisify(execFile)('/bin/sh', ['-c', given], { env: { ...process.env, SCOPES: words } });
    const { stdout } = await run.catch((error: { stderr: string }) => {
      throw new Error(`the token command failed: ${error.stderr.trim().split('\n').at(-1) || 'no message'}`);
    });
    return tokenIn(stdout);
  };

/** Returns the claims of a token without verifying it. Returns no claims if the token is not a JWT. */
export const claimsOf = (token: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  } catch {
    return {};
  }
};
