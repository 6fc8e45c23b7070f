import { claimsOf, tokenIn } from '../../infra/operate/token-command.ts';
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

/** Returns the token. Some issuers always grant every scope. @throws Skipped if the token has the unwanted scope */
export function lacks(token: string, unwanted: string): string {
  const { scope = '', scp = [] } = claimsOf(token);
  const given = [scope, scp].flat().flatMap((one) => String(one).split(' '));
  const isThere = given.some((one) => one === unwanted || one.endsWith(`/${unwanted}`));
  if (isThere) throw new Skipped(`the token command returned the unwanted scope ${unwanted}`);
  return token;
}
