import { type JsonObject, jsonSchema } from '../../shared/contract/json-schema.ts';
import type { Schema } from '../../shared/contract/reply.ts';
import { workers } from '../../shared/contract/workers.ts';
import { rowSchemas } from '../../shared/storage/schemas-by-table.ts';

/** How what is stored and what is queued is read: JSON Schemas by what they are of. */
export type Forms = Readonly<Record<string, JsonObject>>;

const rows = Object.entries(rowSchemas).flatMap(([table, schemas]) =>
  Object.entries<Schema>(schemas).map(
    ([name, schema]) => [`${name} of the table ${table}`, jsonSchema(schema)] as const,
  ),
);
const payloads = workers.map(({ worker, payload }) => [`the payload of ${worker}`, jsonSchema(payload)] as const);

/** The forms of this release, by the schemas that its functions read with: a template says them, so that updates can be compared. */
export const forms: Forms = Object.fromEntries([...rows, ...payloads]);
