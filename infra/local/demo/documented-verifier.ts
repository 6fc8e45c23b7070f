import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';

/** What `GET /v1/.well-known/jwks.json` answers. */
export interface PublishedKeys {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** The headers that were verified, their names in lower case; undefined for a delivery that is not the registry's. */
export type Verify = (
  given: IncomingHttpHeaders,
  body: Uint8Array,
  jwks: PublishedKeys,
) => Promise<Readonly<Record<string, string>> | undefined>;

const page = new URL('../../../functions/README.md', import.meta.url);

/** The lines for receivers that verify with Node.js alone, as the page for callers prints them. */
export async function documentedVerifier(): Promise<Verify> {
  const [, section = ''] = (await readFile(page, 'utf8')).split('\n## Verify a delivery\n');
  const blocks = [...section.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  // The other lines need a package, which code without a file does not find.
  const byHand = blocks.find((code) => !/from '(?!node:)/.test(code)) ?? '';
  const { verifiedHeaders } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(byHand)}`);
  return async (...given) => verifiedHeaders(...given);
}
