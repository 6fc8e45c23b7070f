import type { JsonObject } from '../json-schema.ts';

interface HeaderWords {
  readonly description: string;
  readonly example: unknown;
  readonly schema?: JsonObject;
}

/** Headers of answers by their names. */
const headerWords: Readonly<Record<string, HeaderWords>> = {
  'cache-control': { description: 'Who may keep the answer, and for how long.', example: 'no-store' },
  'content-disposition': {
    description: 'Where it is one file: its name.',
    example: 'inline; filename="birth.pdf"',
  },
  etag: { description: 'Changes with the bytes; for `If-None-Match`.', example: '"9f86d081884c7d65"' },
  link: {
    description: 'Where there may be more: the address of the next page (RFC 8288). The last page is the one without.',
    example: '<https://registry.example.org/v1/topics?limit=100&cursor=AZQLbi96fD6K>; rel="next"',
  },
  'retry-after': { description: 'Seconds to wait.', example: 60, schema: { type: 'integer', minimum: 0 } },
  'www-authenticate': { description: 'How to authenticate (RFC 6750 section 3).', example: 'Bearer' },
};

const canonical = (name: string): string =>
  name === 'etag' ? 'ETag' : name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()).replace('Www', 'WWW');

/** A header of an answer, as an entry of its `headers`. */
export function headerOf(name: string, required: boolean): [string, JsonObject] {
  const { description, example, schema = { type: 'string' } } = headerWords[name] as HeaderWords;
  return [canonical(name), { description, required, schema, example }];
}
