import {
  DynamoDBClient,
  GetItemCommand,
  paginateScan,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { LocalOutputs } from '../../infra/local/aws/template/outputs.ts';
import type { QueueName } from '../../shared/contract/queue-names.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import type { DeliveryOutcome } from '../../shared/domain/deliveries/outcome.ts';
import { storedOutcomes } from '../../shared/storage/deliveries/row-schemas.ts';
import { awsAccess } from './aws-access.ts';

type Row = Readonly<Record<string, unknown>>;

interface DeliveryRow {
  readonly taskKey: string;
  /** The outcome for each subscription. Only rows of batch deliveries have this attribute. */
  readonly outcomes?: unknown;
  /** The outcome of the delivery. Only rows of single deliveries have this attribute. */
  readonly outcome?: DeliveryOutcome;
}

/** Reads the rows and queues of a running stack directly, without the API. */
export function openAws({ dynamodbEndpoint, sqsEndpoint, resources }: LocalOutputs) {
  const dynamodb = new DynamoDBClient({ ...awsAccess, endpoint: dynamodbEndpoint });
  const sqs = new SQSClient({ ...awsAccess, endpoint: sqsEndpoint });

  const tableOf = (name: TableName): string => {
    const table = resources.tables[name];
    if (table === undefined) throw new Error(`the stack has no table ${name}`);
    return table;
  };

  async function rows(name: TableName): Promise<Row[]> {
    const pages = await Array.fromAsync(paginateScan({ client: dynamodb }, { TableName: tableOf(name) }));
    return pages.flatMap(({ Items = [] }) => Items.map((item) => unmarshall(item)));
  }

  /** Expires a subscription's confirmation tokens. */
  async function expireTokens(uuid: string): Promise<void> {
    const [TableName, Key] = [tableOf('subscriptions'), marshall({ uuid })];
    const { Item = {} } = await dynamodb.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    for (const hash of Object.keys(Item.requests?.M ?? {})) {
      await dynamodb.send(
        new UpdateItemCommand({
          TableName,
          Key,
          UpdateExpression: 'SET requests.#hash.expiresAt = :now',
          ExpressionAttributeNames: { '#hash': hash },
          ExpressionAttributeValues: marshall({ ':now': Date.now() - 1 }),
        }),
      );
    }
  }

  /** Returns the stored outcomes of all attempts to deliver a message to one subscription, oldest first. */
  async function outcomes(messageId: string, subscriptionUuid: string): Promise<DeliveryOutcome[]> {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: tableOf('deliveries'),
        KeyConditionExpression: 'messageShard = :slice',
        ExpressionAttributeValues: { ':slice': { S: `${messageId}#0` } },
        ConsistentRead: true,
      }),
    );
    const rows = Items.map((item) => unmarshall(item) as DeliveryRow);
    const own = rows
      .filter(({ taskKey }) => taskKey === `one#${subscriptionUuid}`)
      .flatMap(({ outcome }) => outcome ?? []);
    const shared = rows.flatMap(({ outcomes }) => storedOutcomes.parse(outcomes)[subscriptionUuid] ?? []);
    // If an attempt in a batch delivery fails, the row of a new single delivery also contains the outcome.
    const found = new Map([...shared, ...own].map((outcome) => [outcome.at, outcome]));
    return [...found.values()].toSorted((a, b) => a.at - b.at);
  }

  /** Returns the number of messages in a queue that are waiting, delayed or in flight. */
  async function depth(name: QueueName | `${QueueName}DeadLetters`): Promise<number> {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: resources.queues[name], AttributeNames: ['All'] }),
    );
    return Object.entries(Attributes)
      .filter(([attribute]) => attribute.startsWith('ApproximateNumberOfMessages'))
      .reduce((sum, [, count]) => sum + Number(count), 0);
  }

  return { rows, expireTokens, outcomes, depth, sqs };
}

export type Aws = ReturnType<typeof openAws>;
