import { type JsonObject, jsonSchema, type Schema } from '../../../shared/contract/schemas.ts';
import { workers } from '../../../shared/contract/workers.ts';
import { rowSchemas } from '../../../shared/storage/schemas-by-table.ts';

export type StoredSchemas = Readonly<Record<string, JsonObject>>;

const rows = Object.entries(rowSchemas).flatMap(([table, schemas]) =>
  Object.entries<Schema>(schemas).map(
    ([name, schema]) => [`${name} of the table ${table}`, jsonSchema(schema)] as const,
  ),
);
const payloads = workers.map(({ worker, payload }) => [`the payload of ${worker}`, jsonSchema(payload)] as const);

/**
 * The schemas of this release. The template stores these schemas, so that the next release can be compared with them.
 */
export const storedSchemas: StoredSchemas = Object.fromEntries([...rows, ...payloads]);
