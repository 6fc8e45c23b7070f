import { readFileSync } from 'node:fs';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import * as sqs from '@aws-sdk/client-sqs';
import type { Stages } from '../warm-aws.ts';

// Repeats another function's AWS calls through unmodified SDK clients, in the same order and with the same concurrency.
// The handler returns the data that the last call returned.

type Client = { send(command: unknown): Promise<Record<string, unknown>> };
type Commands = Readonly<Record<string, new (input: unknown) => unknown>>;

const clients = {
  DynamoDB: { client: new dynamodb.DynamoDBClient({}) as unknown as Client, commands: dynamodb as unknown as Commands },
  AmazonSQS: { client: new sqs.SQSClient({}) as unknown as Client, commands: sqs as unknown as Commands },
};
const s3 = new S3Client({}) as unknown as Client;

type Send = () => Promise<Record<string, unknown>>;

function sendOf({ target, method, url, range, body }: Stages[number][number]): Send {
  if (target !== undefined) {
    const [service = '', operation = ''] = target.split('.');
    const { client, commands } = clients[service.split('_')[0] as keyof typeof clients];
    const Command = commands[`${operation}Command`];
    if (Command === undefined) throw new Error(`the AWS SDK has no command for ${target}`);
    // The SDK generates the token of a transaction, as it does for our function.
    return () => client.send(new Command({ ...JSON.parse(body), ClientRequestToken: undefined }));
  }
  if (method !== 'GET') throw new Error(`only GET requests can be repeated, not ${method} ${url}`);
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const [Bucket = '', ...key] = pathname.slice(1).split('/');
  const Prefix = searchParams.get('prefix') ?? '';
  if (searchParams.has('list-type')) return () => s3.send(new ListObjectsV2Command({ Bucket, Prefix }));
  const Key = decodeURIComponent(key.join('/'));
  return () => s3.send(new GetObjectCommand({ Bucket, Key, ...(range && { Range: range }) }));
}

const stages = (JSON.parse(readFileSync(String(process.env.BENCH_STAGES), 'utf8')) as Stages).map((calls) =>
  calls.map(sendOf),
);

export async function handler() {
  let found: unknown;
  for (const sends of stages) {
    for (const { Item, Items, Attributes, Body } of await Promise.all(sends.map((send) => send()))) {
      found = Item ?? Items ?? Attributes ?? found;
      if (Body)
        found = await (Body as { transformToString(encoding: string): Promise<string> }).transformToString('base64');
    }
  }
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(found ?? null) };
}
