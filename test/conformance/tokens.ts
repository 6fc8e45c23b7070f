import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Skipped } from './requirement.ts';

export const scopes = [
  'uin.generate',
  'cr.person.read',
  'cr.person.match',
  'cr.person.verify',
  'cr.document.read',
  'notif.sub.write',
  'notif.sub.read',
  'notif.topic.write',
  'notif.topic.read',
  'notif.topic.publish',
] as const;

export type Scope = (typeof scopes)[number];

/**
 * Returns the token from the output of a command or an issuer: either the token itself or a JSON response that contains
 * it.
 */
function tokenIn(printed: string): string {
  const text = printed.trim();
  const token: unknown = text.startsWith('{') ? JSON.parse(text).access_token : text;
  if (typeof token !== 'string' || !/^[\w.~+/=-]+$/.test(token)) throw new Error('the token command printed no token');
  return token;
}

/**
 * Requests a token with a shell command. The variable SCOPES contains the scopes, which also replace `{scopes}` in the
 * command.
 */
export const fromCommand =
  (command: string) =>
  async (wanted: readonly string[]): Promise<string> => {
    const words = wanted.join(' ');
    const given = command.replaceAll('{scopes}', words);
    const run = promisify(execFile)('/bin/sh', ['-c', given], { env: { ...process.env, SCOPES: words } });
    const { stdout } = await run.catch((error: { stderr?: string }) => {
      throw new Error(`the token command failed: ${error.stderr?.trim().split('\n').at(-1) ?? 'no message'}`);
    });
    return tokenIn(stdout);
  };

/** Requests a token from an issuer, such as the local issuer, with OAuth 2.0 client credentials. */
export const fromIssuer =
  (tokenUrl: string, client: string) =>
  async (wanted: readonly string[]): Promise<string> => {
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client}:secret`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: wanted.join(' ') }),
    });
    return tokenIn(await response.text());
  };

/** Requests only one token for each set of scopes. */
export function cacheTokens(issue: (wanted: readonly string[]) => Promise<string>) {
  const kept = new Map<string, Promise<string>>();
  return (wanted: readonly string[]): Promise<string> => {
    const found = kept.get(wanted.join(' ')) ?? issue(wanted);
    kept.set(wanted.join(' '), found);
    return found;
  };
}

const claims = (token: string): Record<string, unknown> => {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  } catch {
    return {};
  }
};

/** Returns the token. Some issuers always grant every scope. @throws Skipped if the token has the unwanted scope */
export function lacks(token: string, unwanted: string): string {
  const { scope = '', scp = [] } = claims(token);
  const given = [scope, scp].flat().flatMap((one) => String(one).split(' '));
  const isThere = given.some((one) => one === unwanted || one.endsWith(`/${unwanted}`));
  if (isThere) throw new Skipped(`the token command returned the unwanted scope ${unwanted}`);
  return token;
}
