import { CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { ListDeadLetterSourceQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { besideStacks, jobOutput, namesOf } from '../../../../../shared/contract/deployment-names.ts';
import { readJournal } from '../../../../../shared/contract/jobs.ts';
import { type QueueName, queues } from '../../../../../shared/contract/queue-names.ts';
import { regionOf } from '../../../../settings/region.ts';
import type { LocalOutputs } from '../../../aws/template/outputs.ts';
import type { HealthLine, ShownAlarm } from '../state.ts';
import { readAlarms } from './alarms.ts';

/** The deployment whose state the console shows to an operator. */
export interface OperatorTarget {
  readonly sqs: SQSClient;
  readonly s3: S3Client;
  readonly dynamodb: DynamoDBClient;
  readonly lambda: LambdaClient;
  readonly names: () => Promise<OperatorNames>;
  readonly alarms: () => Promise<ShownAlarm[]>;
}

export interface OperatorNames {
  readonly queues: readonly { readonly name: QueueName; readonly url: string; readonly deadUrl: string }[];
  readonly documentsBucket: string;
  readonly personsTable: string;
  readonly readJournalFunction: string;
  readonly stacks: readonly HealthLine[];
}

const queueNames = Object.keys(queues) as QueueName[];

/** @param outputs returns the current outputs, which change if the stack is replaced */
export function localTarget(outputs: () => LocalOutputs): OperatorTarget {
  const { sqsEndpoint, s3Endpoint, dynamodbEndpoint, lambdaEndpoint } = outputs();
  const local = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  return {
    sqs: new SQSClient({ ...local, endpoint: sqsEndpoint }),
    s3: new S3Client({ ...local, endpoint: s3Endpoint, forcePathStyle: true }),
    dynamodb: new DynamoDBClient({ ...local, endpoint: dynamodbEndpoint }),
    lambda: new LambdaClient({ ...local, endpoint: lambdaEndpoint }),
    alarms: async () => [],
    async names() {
      const { tables, buckets, queues: urls } = outputs().resources;
      return {
        queues: queueNames.map((name) => ({
          ...{ name, url: String(urls[name]), deadUrl: String(urls[`${name}DeadLetters`]) },
        })),
        documentsBucket: String(buckets.documents),
        personsTable: String(tables.persons),
        readJournalFunction: readJournal.job,
        stacks: [],
      };
    },
  };
}

const urlOfArn = (arn: string): string => {
  const [, partition, , region, account, name] = arn.split(':');
  return `https://sqs.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}/${account}/${name}`;
};

/** Reads the statuses and outputs of all stacks of a stage. */
async function readStacks(client: CloudFormationClient, stage: string) {
  const { stack } = namesOf(stage);
  const outputs = new Map<string, string>();
  const lines: HealthLine[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {})) {
    for (const { StackName = '', StackStatus = '', Outputs = [] } of Stacks) {
      // Another stage may have a name that begins with this stage's name.
      const suffix = StackName.startsWith(stack) ? StackName.slice(stack.length) : undefined;
      if (suffix === undefined || !/^(-[A-Z]\w*)?$/.test(suffix)) continue;
      lines.push({ name: StackName, text: StackStatus, isGood: /^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(StackStatus) });
      for (const { OutputKey = '', OutputValue = '' } of Outputs) outputs.set(OutputKey, OutputValue);
    }
  }
  if (lines.length === 0) throw new Error(`there is no stack ${stack} in this account and Region`);
  const outputOf = (name: string): string => {
    const value = outputs.get(name);
    if (value === undefined) throw new Error(`the stacks ${stack} have no output ${name}. Deploy them again.`);
    return value;
  };
  return { lines, outputOf };
}

/** Opens a stage on AWS, using the default credentials and Region. */
export async function awsTarget(stage: string): Promise<OperatorTarget & { readonly baseUrl: string }> {
  const client = new CloudFormationClient({});
  await regionOf(client);
  const { outputOf } = await readStacks(client, stage);
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  const found = queueNames.map(async (name) => {
    const deadUrl = urlOfArn(outputOf(`${name}DeadLettersArn`));
    const { queueUrls } = await sqs.send(new ListDeadLetterSourceQueuesCommand({ QueueUrl: deadUrl }));
    return { name, deadUrl, url: queueUrls?.[0] ?? deadUrl };
  });
  const urls = await Promise.all(found);
  const cloudWatch = new CloudWatchClient({});
  const [, , observability] = besideStacks(namesOf(stage).stack);
  return {
    ...{ sqs, s3: new S3Client({}), dynamodb: new DynamoDBClient({}), lambda: new LambdaClient({}) },
    baseUrl: outputOf('baseUrl'),
    alarms: () => readAlarms(cloudWatch, `${observability}-`),
    async names() {
      const { lines } = await readStacks(client, stage);
      return {
        queues: urls,
        documentsBucket: outputOf('documentsBucket'),
        personsTable: outputOf('personsTable'),
        readJournalFunction: outputOf(jobOutput(readJournal)),
        stacks: lines,
      };
    },
  };
}
