import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Upload } from '@aws-sdk/lib-storage';
import { startDynamodb } from '../../infra/local/aws/emulators/dynamodb.ts';
import { startSqsAndS3 } from '../../infra/local/aws/emulators/fauxqs.ts';
import { startSecrets } from '../../infra/local/aws/emulators/secrets.ts';
import { region } from '../../infra/local/aws/template/identifiers.ts';
import { type QueueName, queues } from '../../shared/contract/queue-names.ts';
import { type TableName, tables } from '../../shared/contract/tables.ts';
import { type ImportState, importRowId, importState } from '../../shared/domain/imports/import-state.ts';
import { fromItem, toItem } from '../../shared/storage/dynamo.ts';
import { aBucketEvent } from '../harness/bucket-event.ts';
import { aTopic } from '../harness/builders.ts';
import { creationOf } from '../harness/create-table.ts';
import { bucketOfTests as Bucket, functionVariables, type GivenSettings, secretArn } from '../harness/variables.ts';

const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
const lineBatch = 1000;

async function* inBatches(lines: AsyncIterable<object>, hear: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  let batch: string[] = [];
  const take = (): Buffer => {
    const bytes = Buffer.from(batch.join(''));
    hear(bytes);
    batch = [];
    return bytes;
  };
  for await (const line of lines) {
    if (batch.push(`${JSON.stringify(line)}\n`) === lineBatch) yield take();
  }
  if (batch.length > 0) yield take();
}

/** Starts the embedded servers, and creates everything that the import function needs. */
export async function openWorld() {
  const [server, fauxqs, secrets] = await Promise.all([
    startDynamodb(undefined),
    startSqsAndS3(),
    startSecrets(undefined),
  ]);
  secrets.ensure(secretArn('naming'), 64);
  const endpoint = fauxqs.address;
  const dynamo = new DynamoDBClient({ region, credentials, endpoint: server.endpoint });
  const s3 = new S3Client({ region, credentials, endpoint, forcePathStyle: true });
  const sqs = new SQSClient({ region, credentials, endpoint });
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  const notes = join(folder, 'notes');
  const topic = aTopic({ name: 'changes' });
  const places = Object.fromEntries(Object.keys(queues).map((name) => [name, `${endpoint}/000000000000/${name}`]));
  const addresses = {
    tables: Object.fromEntries(Object.keys(tables).map((name) => [name, name])),
    queues: places as Record<QueueName, string>,
  };

  for (const name of Object.keys(tables) as TableName[]) await dynamo.send(creationOf(name, name));
  await dynamo.send(new PutItemCommand({ TableName: 'topics', Item: toItem(topic) }));
  fauxqs.createBucket(Bucket);
  for (const name of Object.keys(queues)) fauxqs.createQueue(name, { region });

  return {
    ...{ dynamo, s3, sqs, fauxqs, topic, notes, importsUrl: places.imports ?? '' },
    /** Returns the environment variables for the function's process. */
    environment: (settings: GivenSettings): Record<string, string> => ({
      ...functionVariables({ changesTopic: topic.name, ...settings }, addresses),
      AWS_ENDPOINT_URL: endpoint,
      AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      BENCH_NOTES: notes,
    }),
    /** Uploads a file, sends its S3 event to the queue, and returns the file's SHA-256 hash. */
    async put(key: string, lines: AsyncIterable<object>): Promise<string> {
      const hash = createHash('sha256');
      const Body = Readable.from(inBatches(lines, (bytes) => void hash.update(bytes)));
      await new Upload({ client: s3, params: { Bucket, Key: key, Body } }).done();
      const MessageBody = JSON.stringify(aBucketEvent(key));
      await sqs.send(new SendMessageCommand({ QueueUrl: places.imports, MessageBody }));
      return hash.digest('hex');
    },
    async state(sha256: string): Promise<ImportState | undefined> {
      const Key = { id: { S: importRowId(sha256) } };
      const { Item } = await dynamo.send(new GetItemCommand({ TableName: 'persons', Key, ConsistentRead: true }));
      return Item && fromItem(importState, Item);
    },
    async close(): Promise<void> {
      for (const client of [dynamo, s3, sqs]) client.destroy();
      secrets.server.close();
      await Promise.all([fauxqs.stop(), server.stop(), rm(folder, { recursive: true })]);
    },
  };
}

export type ImportWorld = Awaited<ReturnType<typeof openWorld>>;
