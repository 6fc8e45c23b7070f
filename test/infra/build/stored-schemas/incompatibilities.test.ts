import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { findIncompatibilities } from '../../../../infra/build/stored-schemas/incompatibilities.ts';
import { jsonSchema, type Schema } from '../../../../shared/contract/schemas.ts';

const between = (writer: Schema, reader: Schema) =>
  findIncompatibilities({ row: jsonSchema(writer) }, { row: jsonSchema(reader) });
const base = { id: z.string(), state: z.enum(['open', 'done']) };

const read: [string, Schema, Schema][] = [
  ['rows with the same schema', z.object(base), z.object(base)],
  ['an unknown attribute', z.object({ ...base, note: z.string() }), z.object(base)],
  ['a missing attribute with a default value', z.object(base), z.object({ ...base, count: z._default(z.int(), 0) })],
  ['fewer states', z.object({ state: z.enum(['open']) }), z.object({ state: base.state })],
  ['an integer where the schema allows any number', z.object({ at: z.int() }), z.object({ at: z.number() })],
  ['one of several alternatives', z.object(base), z.union([z.object({ key: z.string() }), z.object(base)])],
  ['text in place of text or null', z.object({ id: z.string() }), z.object({ id: z.nullable(z.string()) })],
  ['anything, where anything is allowed', z.object(base), z.unknown()],
];

test.each(read)('readers accept %s', (_, writer, reader) => {
  expect(between(writer, reader)).toEqual([]);
});

const notRead: [string, Schema, Schema, string][] = [
  ['a missing attribute', z.object({ ...base, id: z.optional(z.string()) }), z.object(base), 'id may be missing'],
  ['a new state', z.object({ state: z.enum(['open', 'lost']) }), z.object({ state: base.state }), 'state may be lost'],
  ['another type', z.object({ id: z.int() }), z.object({ id: z.string() }), 'id may have the type integer'],
  [
    'a nested value of another type',
    z.object({ past: z.array(z.record(z.string(), z.object({ at: z.string() }))) }),
    z.object({ past: z.array(z.record(z.string(), z.object({ at: z.int() }))) }),
    'past[].*.at may have the type string',
  ],
  ['an unknown attribute', z.object({ ...base, note: z.string() }), z.strictObject(base), 'note is unknown'],
  ['a new alternative', z.union([z.string(), z.int()]), z.string(), 'it may have the type integer'],
  ['long text', z.object(base), z.object({ ...base, id: z.string().check(z.maxLength(3)) }), 'id has different limits'],
];

test.each(notRead)('the comparison reports %s', (_, writer, reader, line) => {
  expect(between(writer, reader)).toEqual([`row: ${line}`]);
});

test('the comparison ignores new and removed schemas', () => {
  expect(findIncompatibilities({ row: jsonSchema(z.object(base)) }, { other: jsonSchema(z.string()) })).toEqual([]);
});
