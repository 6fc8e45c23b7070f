import type { JsonObject } from '../schemas.ts';
import type { OpenApiFile } from './openapi-file.ts';

/**
 * The OpenAPI keywords whose values are maps. The keys of a map are names that we or clients choose, not OpenAPI
 * keywords.
 */
const maps: readonly string[] = ['properties', 'schemas', 'parameters', 'headers', 'responses', 'examples', 'scopes'];

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

/** Converts the keywords that JSON Schema 2020-12 added. Objects without such keywords are returned unchanged. */
function convertKeywords({ type, const: only, examples, $ref, ...rest }: JsonObject): JsonObject {
  const types = [type].flat().filter((one) => one !== undefined);
  const [first, ...more] = types.filter((one) => one !== 'null');
  return {
    // A schema without a type accepts every type.
    ...(first !== undefined && more.length === 0 && { type: first }),
    ...(types.includes('null') && first !== undefined && more.length === 0 && { nullable: true }),
    // In OpenAPI 3.0, a reference cannot be combined with other keywords.
    ...($ref !== undefined && (Object.keys(rest).length === 0 ? { $ref } : { allOf: [{ $ref }] })),
    ...rest,
    ...(only !== undefined && { type: typeof only, enum: [only] }),
    ...(Array.isArray(examples) ? { example: examples[0] } : examples !== undefined && { examples }),
  };
}

function convert(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((one) => convert(one));
  if (!isObject(value) || name === 'example' || name === 'value') return value;
  const isMap = name !== undefined && maps.includes(name);
  const entries = Object.entries(isMap ? value : convertKeywords(value));
  return Object.fromEntries(entries.map(([key, one]) => [key, convert(one, isMap ? undefined : key)]));
}

/**
 * Converts an OpenAPI 3.1 file to OpenAPI 3.0.3, which most code generators still need. The conversion supports only
 * the keywords that our files use.
 */
export const asVersion30 = (file: OpenApiFile): OpenApiFile => ({
  ...(convert(file) as OpenApiFile),
  openapi: '3.0.3',
});
