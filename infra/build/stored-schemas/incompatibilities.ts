import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../shared/contract/schemas.ts';
import type { StoredSchemas } from './stored-schemas.ts';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean;
}

// The JSON Schema keywords that this file compares, and the keywords that do not restrict values.
const known = [
  ...['type', 'anyOf', 'oneOf', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items'],
  ...['propertyNames', 'readOnly', 'default', 'title', 'description', 'examples'],
];
const limitsOf = (schema: JsonSchema) =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !known.includes(name)));

const valuesOf = (schema: JsonSchema): readonly unknown[] | undefined =>
  schema.enum ?? (Object.hasOwn(schema, 'const') ? [schema.const] : undefined);

function inObject(writer: JsonSchema, reader: JsonSchema, path: string): string[] {
  const [written, read] = [writer.properties ?? {}, reader.properties ?? {}];
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const others = typeof reader.additionalProperties === 'object' ? reader.additionalProperties : undefined;
  return [
    ...(reader.required ?? [])
      .filter((name) => !writer.required?.includes(name))
      .map((name) => `${at(name)} may be missing`),
    ...Object.keys(read)
      .filter((name) => Object.hasOwn(written, name))
      .flatMap((name) => unreadOf(written[name] ?? {}, read[name] ?? {}, at(name))),
    ...(reader.additionalProperties === false
      ? Object.keys(written)
          .filter((name) => !Object.hasOwn(read, name))
          .map((name) => `${at(name)} is unknown`)
      : []),
    ...(others && typeof writer.additionalProperties === 'object'
      ? unreadOf(writer.additionalProperties, others, at('*'))
      : []),
  ];
}

function waysOf(schema: JsonSchema): readonly JsonSchema[] {
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => ({ ...schema, type }));
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

/** Describes the values that the writer schema allows but the reader schema rejects, with the path of each value. */
function unreadOf(writer: JsonSchema, reader: JsonSchema, path: string): string[] {
  const [writing, reading] = [waysOf(writer), waysOf(reader)];
  if (writing.length > 1 || reading.length > 1) {
    // Compares each alternative of the writer schema with the most similar alternative of the reader schema.
    const lacks = writing.map((one) => reading.map((other) => unreadOf(one, other, path)));
    return lacks.flatMap((ways) => ways.toSorted((one, other) => one.length - other.length)[0] ?? []);
  }
  const place = path === '' ? 'it' : path;
  const [written, read] = [valuesOf(writer), valuesOf(reader)];
  if (reader.type === undefined && read === undefined) return [];
  if (read !== undefined) {
    const unknown = written?.filter((value) => !read.includes(value)) ?? ['anything'];
    return unknown.map((value) => `${place} may be ${value}`);
  }
  const isWider = writer.type === 'integer' && reader.type === 'number';
  if (writer.type !== reader.type && !isWider) return [`${place} may have the type ${writer.type}`];
  if (reader.type === 'object') return inObject(writer, reader, path);
  const isLimited = written === undefined && !isWider && !isDeepStrictEqual(limitsOf(writer), limitsOf(reader));
  return [
    ...(isLimited ? [`${place} has different limits`] : []),
    ...(typeof reader.items === 'object' && typeof writer.items === 'object'
      ? unreadOf(writer.items, reader.items, `${path}[]`)
      : []),
  ];
}

/**
 * Describes the values that the writer may store but the reader cannot read, one per line. Ignores attributes that only
 * the writer's schema has, because a schema does not show whether they change the meaning of other attributes.
 */
export const findIncompatibilities = (writer: StoredSchemas, reader: StoredSchemas): string[] =>
  Object.entries(reader)
    .filter(([name]) => Object.hasOwn(writer, name))
    .flatMap(([name, schema]) => unreadOf(writer[name] as JsonObject, schema, '').map((line) => `${name}: ${line}`));
