import { interfaceFiles } from '../interface-files.ts';
import type { JsonObject } from '../json-schema.ts';

/** Examples of bodies of one media type, by their names. */
type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

const begins = (what: string, value: string): Examples => ({ file: { summary: `${what}, which begins so`, value } });

const parts = ['1', '2'].map(
  (page) =>
    `--a4f1\r\nContent-Type: image/png\r\nContent-Length: 48213\r\nContent-Disposition: attachment; name="documents"; filename="birth-${page}.png"\r\n\r\n\u0089PNG…\r\n`,
);

const described = { openapi: '3.1.0', info: { title: 'Identity Registry and Notification Service' }, paths: {} };

const files: Readonly<Record<keyof typeof interfaceFiles, unknown>> = {
  'openapi.json': described,
  'notification.yaml': 'openapi: 3.1.0\ninfo:\n  version: 1.2.0\n…\n',
  'identity.yaml': 'openapi: 3.1.0\ninfo:\n  version: 1.0.0\n…\n',
  health: { status: 'ok' },
};

/** What `/v1/{file}` answers of one media type. */
const filesOf = (mediaType: string): Examples =>
  Object.fromEntries(
    Object.entries(interfaceFiles)
      .filter(([, file]) => file.mediaType === mediaType)
      .map(([name]) => [name, { summary: `Of ${name}`, value: files[name as keyof typeof files] }]),
  );

const byteExamples: Readonly<Record<string, Examples>> = {
  'readDocument application/pdf': begins('A PDF', '%PDF-1.7…'),
  'readDocument image/jpeg': begins('A JPEG', '\u00ff\u00d8\u00ff…'),
  'readDocument image/png': begins('A PNG', '\u0089PNG…'),
  'readDocument image/tiff': begins('A TIFF', 'II*\u0000…'),
  'readDocument image/webp': begins('A WebP', 'RIFF…WEBP…'),
  'readDocument multipart/mixed': {
    pages: { summary: 'Two pages, as PNG', value: `${parts.join('')}--a4f1--\r\n` },
  },
  'readInterface application/json': filesOf('application/json'),
  'readInterface application/yaml': filesOf('application/yaml'),
};

/** What stands beside a media type of an answer of bytes. Its schema: the media type says all (OpenAPI 3.1, 4.8.14.2). */
export const bytesContent = (operation: string, mediaType: string): JsonObject => ({
  examples: byteExamples[`${operation} ${mediaType}`],
});
