import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createAwsClient } from '../../infra/local/aws/emulators/aws-client.ts';
import { databaseIn } from '../../infra/local/aws/emulators/dynamodb.ts';
import { findDynoxide } from '../../infra/local/aws/emulators/dynoxide.ts';
import type { Assembly } from '../../infra/local/aws/template/template.ts';
import type { Citizen } from '../../infra/local/demo/population/population.ts';
import { type LocalStack, startLocalStack } from '../../infra/local/start.ts';
import { personRow } from '../../shared/storage/persons/rows.ts';

interface Described {
  readonly Table: { readonly ItemCount: number };
}

async function describe(stack: LocalStack, TableName: string): Promise<Described> {
  const dynamodb = createAwsClient(stack.outputs.dynamodbEndpoint);
  try {
    return await dynamodb<Described>('DynamoDB_20120810.DescribeTable', { TableName });
  } finally {
    dynamodb.close();
  }
}

/** Generates people in the format of a DynamoDB export to S3, one line per person. */
function* exported(people: Iterable<Citizen>): Generator<string> {
  for (const { uin, attributes } of people) yield `${JSON.stringify({ Item: personRow(uin, attributes) })}\n`;
}

async function importInto(output: string, source: string, schema: string): Promise<void> {
  const options = ['--source', source, '--schema', schema, '--output', output, '--force'];
  const importing = spawn(await findDynoxide(), ['import', ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = await once(importing, 'exit');
  if (status !== 0) throw new Error(`the embedded DynamoDB could not import the people: ${status}`);
}

/** A running stack that contains people. */
export interface WithPeople {
  readonly stack: LocalStack;
  /** The name of the persons table. */
  readonly table: string;
  /** The size of the store on disk. */
  readonly bytes: number;
}

/**
 * Starts a stack that already contains people. The people are imported as an export of the table, because single writes
 * take ten times as long.
 * @param folder the folder for the export and the store
 */
export async function startWithPeople(
  assembly: Assembly,
  folder: string,
  people: Iterable<Citizen>,
  size: number,
): Promise<WithPeople> {
  const dataDir = join(folder, 'data');
  const start = () => startLocalStack({ assembly, dataDir, onLog: () => {} });
  // This stack is started only to read the schema of the table.
  const empty = await start();
  const table = empty.outputs.resources.tables.persons ?? '';
  const schema = join(folder, 'schema.json');
  await writeFile(schema, JSON.stringify(await describe(empty, table)));
  await empty.stop();

  const source = join(folder, 'export');
  const rows = join(source, table, 'data');
  await mkdir(rows, { recursive: true });
  await pipeline(Readable.from(exported(people)), createGzip({ level: 1 }), createWriteStream(join(rows, '0.json.gz')));
  await importInto(databaseIn(dataDir), source, schema);

  const stack = await start();
  const { ItemCount } = (await describe(stack, table)).Table;
  if (ItemCount !== size) {
    await stack.stop();
    throw new Error(`the store contains ${ItemCount} of ${size} people`);
  }
  return { stack, table, bytes: (await stat(databaseIn(dataDir))).size };
}
