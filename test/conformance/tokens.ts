import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { NotTried } from './sentence.ts';

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

/** What a command printed: the token, or an issuer's answer that has it. */
function tokenIn(printed: string): string {
  const text = printed.trim();
  const token: unknown = text.startsWith('{') ? JSON.parse(text).access_token : text;
  if (typeof token !== 'string' || !/^[\w.~+/=-]+$/.test(token)) throw new Error('the token command printed no token');
  return token;
}

/** Runs the shell command for these scopes: they are in the variable SCOPES, and in place of `{scopes}`. */
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

/** Asks an issuer by OAuth 2.0's client credentials, as the laptop's takes them. */
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

/** Asks once for each set of scopes. */
export function keepTokens(issue: (wanted: readonly string[]) => Promise<string>) {
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

/** @throws NotTried when the token has a scope that was not asked for: some issuers give all that a client may have */
export function lacks(token: string, unwanted: string): string {
  const { scope = '', scp = [] } = claims(token);
  const given = [scope, scp].flat().flatMap((one) => String(one).split(' '));
  const isThere = given.some((one) => one === unwanted || one.endsWith(`/${unwanted}`));
  if (isThere) throw new NotTried(`the token command gave ${unwanted}, which was not asked for`);
  return token;
}
