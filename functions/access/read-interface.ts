import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { readInterface } from '../../shared/contract/endpoints/access-endpoints.ts';
import { interfaceFiles, interfaceMarks, unknownRoute } from '../../shared/contract/interface-files.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { entityTag, isNoneMatch } from '../../shared/domain/entity-tag.ts';
import { serveStream } from '../../shared/lambda/serve-stream.ts';
import { referenceStyle } from '../../shared/presentation/pages/reference-style.ts';

const isFile = (name: string): name is keyof typeof interfaceFiles => Object.hasOwn(interfaceFiles, name);

// Caches must revalidate health responses.
const cacheControl = (part: string | undefined): string => (part === undefined ? 'no-cache' : 'public, max-age=3600');

export const handler = serveStream(readInterface, [], async ({ path: { file }, headers }, { settings }) => {
  if (!isFile(file)) throw new ClientError('unknownRoute', unknownRoute);
  const { mediaType, part } = interfaceFiles[file];
  const made = await readFile(new URL(`interface/${file}`, import.meta.url), 'utf8');
  const text = made
    .replaceAll(interfaceMarks.baseUrl, () => settings.baseUrl.replace(/\/+$/, ''))
    .replaceAll(interfaceMarks.tokenUrl, () => settings.oidcTokenUrl);
  const kept = { etag: entityTag(text), 'cache-control': cacheControl(part) };
  if (isNoneMatch(headers['if-none-match'] ?? '', kept.etag)) return { status: 304, headers: kept } as const;
  const policy = mediaType === 'text/html' ? { 'content-security-policy': referenceStyle.policy } : {};
  return {
    status: 200,
    headers: { ...kept, 'content-type': mediaType, ...policy },
    body: Readable.from([text]),
  } as const;
});
