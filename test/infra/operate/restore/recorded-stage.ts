import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import {
  BatchWriteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  paginateScan,
  type WarmThroughput,
} from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { stackPolicy } from '../../../../infra/operate/deploy/stack-policy.ts';
import { resourcesOfType } from '../../../../infra/operate/functions.ts';
import type { Tools } from '../../../../infra/operate/restore/deployed-stage.ts';
import { type RestoreOptions, readRestoreOptions } from '../../../../infra/operate/restore/options.ts';
import { restore } from '../../../../infra/operate/restore/restore.ts';
import { readShapes } from '../../../../infra/operate/restore/shapes.ts';
import { readStage } from '../../../../infra/settings/read-stage.ts';
import { type TableName, tables } from '../../../../shared/contract/tables.ts';
import { awsAccess } from '../../../harness/aws-access.ts';
import { creationOf } from '../../../harness/create-table.ts';
import type { EmbeddedDynamodb } from '../../../harness/embedded.ts';
import { type Properties, synthesizeTemplate } from '../../../harness/template.ts';

/** Returns the response to an AWS command, or undefined if the embedded server must process the command. */
export type Respond = (input: Properties) => unknown;

interface Client {
  readonly middlewareStack: { add(middleware: unknown, options: object): void };
}

interface Call {
  readonly input: Properties;
}

/** The error with which the command is interrupted. */
export class Killed extends Error {}

const isWrite = (command: string): boolean => !/^(?:Describe|Get|BatchGet|List|Head|Scan|Query)/.test(command);

/** Records the calls that change resources, and interrupts the command after one of them. */
interface Interruption {
  readonly written: string[];
  /** The number of calls after which the command is interrupted (default: no interruption). */
  killAfter?: number | undefined;
}

/** Makes an AWS client return these responses without network access. The keys of the responses are command names. */
export function record<C extends Client>(
  client: C,
  responses: Readonly<Record<string, Respond>>,
  interruption: Interruption,
): C {
  const middleware =
    (next: (call: Call) => Promise<unknown>, { commandName }: { readonly commandName: string }) =>
    async (call: Call) => {
      const command = commandName.replace(/Command$/, '');
      const output = await responses[command]?.(call.input);
      const result = output === undefined ? await next(call) : { output, response: {} };
      if (isWrite(command)) {
        interruption.written.push(command);
        if (interruption.written.length === interruption.killAfter) throw new Killed();
      }
      return result;
    };
  client.middlewareStack.add(middleware, { step: 'initialize' });
  return client;
}

/** Creates an error like the ones that AWS clients throw. */
export const failure = (name: string, message = name): Error => Object.assign(new Error(message), { name });

export const stack = 'IdentityRegistry-prod';
const region = awsAccess.region;
const settings = await readStage({ stage: 'prod' });
const shapes = readShapes(settings);
const { stacks } = await synthesizeTemplate({ stage: 'prod' });

/** Matches the options of a deployment that may replace only the resource whose ID starts with `id`. */
export const deploymentLifting = (id: string): string =>
  expect.stringMatching(new RegExp(`^--stage prod --lift ${id}[0-9A-F]{8} --monitor 0$`));

type Answer = boolean | ((question: string) => boolean);

/**
 * The production stage in AWS. The stacks, functions and backups are recorded responses, which change with each write.
 * The tables are stored in the embedded DynamoDB, which supports neither backups nor warm throughput.
 */
export async function recordedStage(dynamodb: EmbeddedDynamodb) {
  const interruption: Interruption = { written: [] };
  const outputs = new Map<string, string>();
  for (const name of Object.keys(tables) as TableName[]) outputs.set(`${name}Table`, await dynamodb.createTable(name));
  for (const job of ['reindexPersons', 'indexDocuments']) outputs.set(`${job}Function`, job);
  const templateOf = ({ StackName }: Properties) => {
    const found = stacks.find(({ name }) => name === StackName);
    if (found === undefined) throw failure('ValidationError', `Stack with id ${StackName} does not exist`);
    return found.template;
  };
  const urlOf = (id: string): string => `https://sqs.${region}.amazonaws.com/${settings.account}/${id}`;
  const policy = [stackPolicy()];
  const cloudFormation = record(
    new CloudFormationClient(awsAccess),
    {
      DescribeStacks: (input) => {
        templateOf(input);
        const Outputs = [...outputs].map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
        return { Stacks: [{ Outputs }] };
      },
      GetStackPolicy: () => ({ StackPolicyBody: policy.at(-1) }),
      SetStackPolicy: ({ StackPolicyBody }) => ({ is: policy.push(StackPolicyBody) }),
      GetTemplate: (input) => ({ TemplateBody: JSON.stringify(templateOf(input)) }),
      ListStackResources: (input) => ({
        StackResourceSummaries: Object.entries(templateOf(input).Resources).map(([id, { Type }]) => ({
          LogicalResourceId: id,
          PhysicalResourceId: Type === 'AWS::SQS::Queue' ? urlOf(id) : id,
        })),
      }),
    },
    interruption,
  );

  const concurrency = new Map<string, number>();
  const mappings = new Map<string, boolean>();
  const invoked: string[] = [];
  const lambda = record(
    new LambdaClient(awsAccess),
    {
      PutFunctionConcurrency: ({ FunctionName, ReservedConcurrentExecutions }) =>
        concurrency.set(FunctionName, ReservedConcurrentExecutions) && {},
      DeleteFunctionConcurrency: ({ FunctionName }) => ({ is: concurrency.delete(FunctionName) }),
      GetFunctionConcurrency: ({ FunctionName }) => ({ ReservedConcurrentExecutions: concurrency.get(FunctionName) }),
      UpdateEventSourceMapping: ({ UUID, Enabled }) => mappings.set(UUID, Enabled) && {},
      GetEventSourceMapping: ({ UUID }) => ({ State: mappings.get(UUID) === false ? 'Disabled' : 'Enabled' }),
      Invoke: ({ FunctionName }) => ({ StatusCode: invoked.push(FunctionName) }),
    },
    interruption,
  );

  const protectedTables = new Set<string>();
  const warm = new Map<string, WarmThroughput>();
  const window = {
    PointInTimeRecoveryStatus: 'ENABLED',
    EarliestRestorableDateTime: new Date('2026-10-20T08:00:00.500Z'),
    LatestRestorableDateTime: new Date('2026-11-24T09:55:00.500Z'),
  };
  const backups: object[] = [];
  const { client } = dynamodb;
  const tableClient = new DynamoDBClient({ ...awsAccess, endpoint: dynamodb.endpoint });

  /**
   * Simulates a restore: creates a table with another table's keys, indexes and rows, but without its other settings.
   */
  async function copyTable(source: string, TableName: string): Promise<object> {
    const [name] = Object.keys(tables).filter((one) => source.startsWith(one)) as TableName[];
    await client.send(creationOf(name as TableName, TableName));
    for await (const { Items = [] } of paginateScan({ client, pageSize: 25 }, { TableName: source })) {
      const puts = Items.map((Item) => ({ PutRequest: { Item } }));
      if (puts.length > 0) await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }));
    }
    return {};
  }

  const tableResponses: Readonly<Record<string, Respond>> = {
    DescribeContinuousBackups: async ({ TableName }) => {
      await client.send(new DescribeTableCommand({ TableName }));
      const isOn = protectedTables.has(TableName) || [...outputs.values()].includes(TableName);
      const PointInTimeRecoveryDescription = isOn ? window : { PointInTimeRecoveryStatus: 'DISABLED' };
      return { ContinuousBackupsDescription: { PointInTimeRecoveryDescription } };
    },
    UpdateContinuousBackups: ({ TableName }) => protectedTables.add(TableName) && {},
    ListBackups: () => ({ BackupSummaries: backups }),
    RestoreTableToPointInTime: ({ SourceTableName, TargetTableName }) => copyTable(SourceTableName, TargetTableName),
    RestoreTableFromBackup: ({ BackupArn, TargetTableName }) => copyTable(BackupArn, TargetTableName),
    DescribeTable: async ({ TableName }) => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      const GlobalSecondaryIndexes = Table?.GlobalSecondaryIndexes?.map((index) => ({
        ...index,
        WarmThroughput: warm.get(`${TableName} ${index.IndexName}`),
      }));
      return { Table: { ...Table, WarmThroughput: warm.get(TableName), GlobalSecondaryIndexes } };
    },
    UpdateTable: ({ TableName, WarmThroughput, GlobalSecondaryIndexUpdates }) => {
      const [{ Update } = { Update: undefined }] = GlobalSecondaryIndexUpdates ?? [];
      if (Update !== undefined) return warm.set(`${TableName} ${Update.IndexName}`, Update.WarmThroughput) && {};
      return WarmThroughput === undefined ? undefined : warm.set(TableName, WarmThroughput) && {};
    },
  };

  const named: string[] = [];
  const deployments: string[] = [];
  const said: string[] = [];
  let answer: Answer = true;
  const tools: Tools = {
    clients: {
      cloudFormation,
      lambda,
      dynamodb: record(tableClient, tableResponses, interruption),
      s3: new S3Client(awsAccess),
      secrets: new SecretsManagerClient(awsAccess),
      sqs: new SQSClient(awsAccess),
    },
    ...{ settings, shapes, place: { account: settings.account, alias: '', region } },
    terminal: {
      say: (line) => void said.push(line),
      confirm: async (question) => {
        said.push(`? ${question}`);
        return typeof answer === 'boolean' ? answer : answer(question);
      },
      sleep: async () => {},
    },
    async nameInStage(store, resource) {
      named.push(`${store}=${resource}`);
    },
    async deploy(args) {
      deployments.push(args.join(' '));
      const [store = '', resource = ''] = named.at(-1)?.split('=') ?? [];
      const kind = ['Table', 'Bucket', 'Secret'].find((one) => outputs.has(`${store}${one}`));
      outputs.set(`${store}${kind}`, resource);
    },
  };

  return {
    ...{ tools, outputs, policy, concurrency, mappings, invoked, backups, warm, protectedTables },
    ...{ named, deployments, said, interruption, urlOf },
    queueIds: stacks.flatMap(({ template }) => resourcesOfType(template, 'AWS::SQS::Queue').map(([id]) => id)),
    answer: (next: Answer) => {
      answer = next;
    },
    /** Runs `npm run restore` with these arguments and returns its output lines. */
    async restore(...args: string[]): Promise<string[]> {
      said.length = 0;
      const options = readRestoreOptions(['--stage', 'prod', ...args]) as RestoreOptions;
      await restore(options, tools);
      return [...said];
    },
  };
}

export type RecordedStage = Awaited<ReturnType<typeof recordedStage>>;
