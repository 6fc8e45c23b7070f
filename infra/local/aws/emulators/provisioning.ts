import type { FauxqsServer } from 'fauxqs';
import { account, region } from '../template/identifiers.ts';
import type { Stack } from '../template/stack.ts';
import { type AwsClient, AwsError } from './aws-client.ts';
import type { SecretsServer } from './secrets.ts';

interface TableProperties {
  KeySchema: unknown;
  AttributeDefinitions: unknown;
  BillingMode?: string;
  ProvisionedThroughput?: unknown;
  GlobalSecondaryIndexes?: Record<string, unknown>[];
  LocalSecondaryIndexes?: unknown;
  StreamSpecification?: { StreamViewType: string };
  TimeToLiveSpecification?: { Enabled: boolean; AttributeName?: string };
}

async function unless(code: string, attempt: Promise<unknown>): Promise<void> {
  await attempt.catch((error: unknown) => {
    if (!(error instanceof AwsError) || error.code !== code) throw error;
  });
}

function index({ IndexName, KeySchema, Projection, ProvisionedThroughput }: Record<string, unknown>) {
  return { IndexName, KeySchema, Projection, ...(ProvisionedThroughput !== undefined && { ProvisionedThroughput }) };
}

interface Shape {
  KeySchema: unknown;
  GlobalSecondaryIndexes?: Record<string, unknown>[];
}

const shapeOf = ({ KeySchema, GlobalSecondaryIndexes = [] }: Shape): string => {
  const indexes = GlobalSecondaryIndexes.map((each) => JSON.stringify([each.IndexName, each.KeySchema]));
  return JSON.stringify([KeySchema, indexes.toSorted()]);
};

/**
 * Rejects a saved table whose keys or indexes differ from those in the stack, because later errors would be less clear.
 */
async function checkShape(dynamodb: AwsClient, TableName: string, wanted: Shape): Promise<void> {
  const { Table } = await dynamodb<{ Table: Shape }>('DynamoDB_20120810.DescribeTable', { TableName });
  if (shapeOf(Table) === shapeOf(wanted)) return;
  throw new Error(
    `the saved table ${TableName} has different keys or indexes from the stack's table. Start with another --data folder.`,
  );
}

export async function createTables(stack: Stack, dynamodb: AwsClient): Promise<void> {
  const tables = stack.ofType('AWS::DynamoDB::GlobalTable');
  await Promise.all(
    tables.map(async (resource) => {
      const TableName = stack.nameOf(resource);
      const table = stack.properties<TableProperties>(resource);
      const creation = {
        TableName,
        KeySchema: table.KeySchema,
        AttributeDefinitions: table.AttributeDefinitions,
        ...(table.ProvisionedThroughput
          ? { ProvisionedThroughput: table.ProvisionedThroughput }
          : { BillingMode: 'PAY_PER_REQUEST' }),
        ...(table.GlobalSecondaryIndexes && { GlobalSecondaryIndexes: table.GlobalSecondaryIndexes.map(index) }),
        ...(table.LocalSecondaryIndexes !== undefined && { LocalSecondaryIndexes: table.LocalSecondaryIndexes }),
        ...(table.StreamSpecification && {
          StreamSpecification: { StreamEnabled: true, StreamViewType: table.StreamSpecification.StreamViewType },
        }),
      };
      // The table may already exist in the saved data.
      await unless('ResourceInUseException', dynamodb('DynamoDB_20120810.CreateTable', creation));
      await checkShape(dynamodb, TableName, table);
      const ttl = table.TimeToLiveSpecification;
      if (ttl?.Enabled) {
        const request = { TableName, TimeToLiveSpecification: ttl };
        await unless('ValidationException', dynamodb('DynamoDB_20120810.UpdateTimeToLive', request));
      }
    }),
  );
}

const queueAttributes = [
  'VisibilityTimeout',
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'RedrivePolicy',
  'RedriveAllowPolicy',
  'FifoQueue',
  'ContentBasedDeduplication',
];

const asAttribute = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

export async function createQueues(stack: Stack, fauxqs: FauxqsServer, sqs: AwsClient): Promise<void> {
  for (const resource of stack.ofType('AWS::SQS::Queue')) {
    const properties = stack.properties<Record<string, unknown>>(resource);
    const attributes = Object.fromEntries(
      queueAttributes
        .filter((name) => properties[name] !== undefined)
        .map((name) => [name, asAttribute(properties[name])]),
    );
    const name = stack.nameOf(resource);
    const [queue] = fauxqs.setup({ queues: [{ name, region, attributes }] }).queues;
    if (queue?.created) continue;
    // A saved queue keeps its messages but gets its attributes from the current template.
    const QueueUrl = `http://127.0.0.1/${account}/${name}`;
    await sqs('AmazonSQS.SetQueueAttributes', { QueueUrl, Attributes: attributes });
  }
}

export function createBuckets(stack: Stack, fauxqs: FauxqsServer): void {
  const buckets = stack.ofType('AWS::S3::Bucket').map((resource) => stack.nameOf(resource));
  fauxqs.setup({ buckets });
}

export function createSecrets(stack: Stack, secrets: SecretsServer): void {
  for (const resource of stack.ofType('AWS::SecretsManager::Secret')) {
    const { GenerateSecretString } = stack.properties<{ GenerateSecretString?: { PasswordLength?: number } }>(resource);
    secrets.ensure(stack.arnOf(resource), GenerateSecretString?.PasswordLength ?? 32);
  }
}
