import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, expect, test } from 'vitest';
import { synthesizeLocally } from '../../infra/build/synthesize.ts';
import { findFreePort } from '../../infra/local/aws/emulators/ports.ts';
import type { Assembly } from '../../infra/local/aws/template/template.ts';
import { type LocalStack, startLocalStack } from '../../infra/local/start.ts';
import { findPersons, generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { type TableName, tables } from '../../shared/contract/tables.ts';
import { awsAccess } from '../harness/aws-access.ts';
import { settingsUnderTest } from '../harness/settings.ts';
import { startSigner } from '../harness/signer.ts';
import { openWorld, uniqueName, type World } from '../harness/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'restored-'));
const port = await findFreePort();
const baseUrl = `http://127.0.0.1:${port}`;
const restoredOf = (table: string): string => `${table}-restored`;
const documents = 'documents-restored';

const assemblyWith = (name: string, settings: Record<string, string>): Promise<Assembly> =>
  synthesizeLocally({ outdir: join(folder, name), baseUrl, ...settingsUnderTest, ...settings });

let running: LocalStack | undefined;
async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}
async function start(assembly: Assembly, dataDir: string): Promise<World> {
  const logFile = join(folder, 'stack.log');
  writeFileSync(logFile, '');
  const onLog = (line: string) => writeFileSync(logFile, `${line}\n`, { flag: 'a' });
  running = await startLocalStack({ assembly, dataDir, port, environment: { BASE_URL: baseUrl }, onLog });
  const signer = await startSigner(running.issueToken);
  afterAll(() => signer.stop());
  return openWorld({ outputs: running.outputs, logFile, signUrl: signer.url });
}
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

/** Simulates a restore: copies all tables under new names, deletes the old tables, and creates a new bucket. */
async function restore({ outputs }: World): Promise<void> {
  const dynamodb = new DynamoDBClient({ ...awsAccess, endpoint: outputs.dynamodbEndpoint });
  for (const name of Object.keys(tables)) {
    const TableName = outputs.resources.tables[name];
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    await dynamodb.send(
      new CreateTableCommand({
        TableName: restoredOf(name),
        KeySchema: Table?.KeySchema,
        AttributeDefinitions: Table?.AttributeDefinitions,
        BillingMode: 'PAY_PER_REQUEST',
        GlobalSecondaryIndexes: Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
          ...{ IndexName, KeySchema, Projection },
        })),
      }),
    );
    for await (const { Items = [] } of paginateScan({ client: dynamodb, pageSize: 25 }, { TableName })) {
      const puts = Items.map((Item) => ({ PutRequest: { Item } }));
      if (puts.length > 0)
        await dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [restoredOf(name)]: puts } }));
    }
    await dynamodb.send(new DeleteTableCommand({ TableName }));
  }
  const s3 = new S3Client({ ...awsAccess, endpoint: outputs.s3Endpoint, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: documents }));
}

test('a stack that uses the restored tables, secrets and bucket under new names has all their data', async () => {
  const dataDir = join(folder, 'data');
  const before = await start(await assemblyWith('before', {}), dataDir);
  const lastName = uniqueName('Restored');
  const uin = (await before.call(generateUin, { body: { lastName, firstName: 'Ann' } })).json;
  const topic = await before.newTopic();
  const { receiver } = await before.newSubscriber(topic);
  const keys = await (await fetch(`${baseUrl}/v1/.well-known/jwks.json`)).json();
  await stop();

  const copy = join(folder, 'copy');
  cpSync(dataDir, copy, { recursive: true });
  rmSync(dataDir, { recursive: true });
  const onCopy = await start({ directory: join(folder, 'before'), stackName: 'IdentityRegistry-dev' }, copy);
  await restore(onCopy);
  await stop();
  // The test creates the secrets again from a copy of its own.
  const kept = join(copy, 'secrets.json');
  const arns = new Map<string, string>(
    Object.entries(onCopy.outputs.resources.secrets).map(([name, arn]) => [arn, `${arn.slice(0, -6)}${name}-FirE01`]),
  );
  const stages = JSON.parse(readFileSync(kept, 'utf8')) as [string, unknown][];
  writeFileSync(kept, JSON.stringify(stages.map(([arn, stage]) => [arns.get(arn), stage])));

  const restoredTables = Object.keys(tables).map((name) => `${name}=${restoredOf(name)}`);
  const restoredSecrets = Object.entries(onCopy.outputs.resources.secrets).map(
    ([name, arn]) => `${name}=${arns.get(arn)}`,
  );
  const restored = [...restoredTables, ...restoredSecrets, `documents=${documents}`].join(',');
  const after = await start(await assemblyWith('after', { restored }), copy);
  for (const name of Object.keys(tables) as TableName[]) {
    expect(after.outputs.resources.tables[name]).toBe(restoredOf(name));
  }

  const found = await after.call(findPersons, { query: { lastName, firstName: 'Ann' } });
  expect(found.json).toEqual([uin]);
  // The public keys have not changed, so receivers can continue to use the copies they have.
  expect(await (await fetch(`${baseUrl}/v1/.well-known/jwks.json`)).json()).toEqual(keys);
  // This body is stored in the bucket because it is too long for a row.
  const source = 'hospital-1'.padEnd(5000, 'x');
  const messageId = await after.publish(topic, { source, uin }, { query: { subject: 'birth' } });
  const event = await receiver.arrival('Notification');
  expect(event.headers['message-id']).toBe(messageId);
  expect(JSON.parse(String(event.body))).toEqual({ source, uin });
});
