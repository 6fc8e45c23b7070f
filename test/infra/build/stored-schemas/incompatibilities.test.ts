import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { unread } from '../../../../infra/build/stored-schemas/incompatibilities.ts';
import { jsonSchema } from '../../../../shared/contract/json-schema.ts';
import type { Schema } from '../../../../shared/contract/reply.ts';

const between = (writer: Schema, reader: Schema) => unread({ row: jsonSchema(writer) }, { row: jsonSchema(reader) });
const base = { id: z.string(), state: z.enum(['open', 'done']) };

const read: [string, Schema, Schema][] = [
  ['the same', z.object(base), z.object(base)],
  ['more than is known', z.object({ ...base, note: z.string() }), z.object(base)],
  ['less, where what is missing may be', z.object(base), z.object({ ...base, count: z._default(z.int(), 0) })],
  ['fewer states', z.object({ state: z.enum(['open']) }), z.object({ state: base.state })],
  ['a whole number, where any is read', z.object({ at: z.int() }), z.object({ at: z.number() })],
  ['one of several forms', z.object(base), z.union([z.object({ key: z.string() }), z.object(base)])],
  ['text, where text or nothing is read', z.object({ id: z.string() }), z.object({ id: z.nullable(z.string()) })],
  ['anything, where anything is read', z.object(base), z.unknown()],
];

test.each(read)('%s is read', (_, writer, reader) => {
  expect(between(writer, reader)).toEqual([]);
});

const notRead: [string, Schema, Schema, string][] = [
  [
    'what is needed and may be missing',
    z.object({ ...base, id: z.optional(z.string()) }),
    z.object(base),
    'id may be missing',
  ],
  [
    'a state that is new',
    z.object({ state: z.enum(['open', 'stuck']) }),
    z.object({ state: base.state }),
    'state may be stuck',
  ],
  ['another type', z.object({ id: z.int() }), z.object({ id: z.string() }), 'id may be of the type integer'],
  [
    'something deep within',
    z.object({ past: z.array(z.record(z.string(), z.object({ at: z.string() }))) }),
    z.object({ past: z.array(z.record(z.string(), z.object({ at: z.int() }))) }),
    'past[].*.at may be of the type string',
  ],
  ['more than a strict schema knows', z.object({ ...base, note: z.string() }), z.strictObject(base), 'note is unknown'],
  ['one form more', z.union([z.string(), z.int()]), z.string(), 'it may be of the type integer'],
  [
    'text beyond a limit',
    z.object({ id: z.string() }),
    z.object({ id: z.string().check(z.maxLength(3)) }),
    'id has other limits',
  ],
];

test.each(notRead)('%s is named', (_, writer, reader, line) => {
  expect(between(writer, reader)).toEqual([`row: ${line}`]);
});

test('a form that is new, or gone, is nobody to read', () => {
  expect(unread({ row: jsonSchema(z.object(base)) }, { other: jsonSchema(z.string()) })).toEqual([]);
});
