import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { afterEach, beforeEach, vi } from 'vitest';
import { topics } from '../../shared/storage/topics/topics.ts';
import { aTopic } from '../support/builders.ts';
import { useDynamodb, useSqs } from '../support/embedded.ts';
import { apiEvent, context } from '../support/lambda-events.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

interface Circumstances {
  /** Set over the variables that all functions share. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Takes the function's own DynamoDB client before its first use. */
  readonly arrange?: (client: DynamoDBClient) => void;
}

const urlOf = (endpoint: { hostname: string; port?: number } | undefined) =>
  `http://${endpoint?.hostname}:${endpoint?.port}`;

/** Runs deployed functions of the notification service in this process, against an embedded DynamoDB and SQS. */
export function useNotificationFunctions() {
  const dynamodb = useDynamodb();
  const sqs = useSqs();
  const tables = { topics: '', subscriptions: '', deliveries: '' };
  const queues = { fanOut: '', http: '', email: '', cleanUp: '' };
  let variables: Record<string, string> = {};

  beforeEach(async () => {
    for (const name of ['topics', 'subscriptions', 'deliveries'] as const) {
      tables[name] = await dynamodb.createTable(name);
    }
    const sqsUrl = urlOf(await sqs.client.config.endpoint?.());
    for (const name of ['fanOut', 'http', 'email', 'cleanUp'] as const) {
      // At the address that the client knows: the emulator calls itself by another.
      queues[name] = new URL(new URL(sqs.createQueue()).pathname, sqsUrl).href;
    }
    variables = {
      AWS_ENDPOINT_URL_DYNAMODB: urlOf(await dynamodb.client.config.endpoint?.()),
      AWS_ENDPOINT_URL_SQS: sqsUrl,
      ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', LEDGER_DAYS: '30' },
      ...{ TOPICS_TABLE: tables.topics, SUBSCRIPTIONS_TABLE: tables.subscriptions },
      ...{ DELIVERIES_TABLE: tables.deliveries, FAN_OUT_QUEUE_URL: queues.fanOut, HTTP_QUEUE_URL: queues.http },
      ...{ EMAIL_QUEUE_URL: queues.email, CLEAN_UP_QUEUE_URL: queues.cleanUp, ALLOWED_NETWORKS: '' },
    };
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  return {
    dynamodb,
    sqs,
    tables,
    queues,
    /** A topic that is there. */
    async newTopic() {
      const topic = aTopic();
      await topics.permissions.write(dynamodb.client, tables.topics).ensure(topic);
      return topic;
    },
    /** Starts a function anew, as on a cold start; answers how to call it. */
    async start(load: () => Promise<{ handler: Handler }>, { variables: own = {}, arrange }: Circumstances = {}) {
      vi.resetModules();
      for (const [name, value] of Object.entries({ ...variables, ...own })) vi.stubEnv(name, value);
      const { dynamo } = (await import('../../shared/storage/dynamo.ts')) as { dynamo: () => DynamoDBClient };
      arrange?.(dynamo());
      const { handler } = await load();
      return async (given: Parameters<typeof apiEvent>[0]) => {
        const { statusCode, body } = await handler(apiEvent(given), context);
        return { status: statusCode, json: body === '' ? undefined : JSON.parse(body) };
      };
    },
  };
}
