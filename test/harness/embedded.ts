import { randomUUID } from 'node:crypto';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { FauxqsServer } from 'fauxqs';
import { afterAll, beforeAll, expect } from 'vitest';
import { startAt } from '../../infra/local/aws/emulators/dynamodb.ts';
import { findDynoxide } from '../../infra/local/aws/emulators/dynoxide.ts';
import { startSqsAndS3 } from '../../infra/local/aws/emulators/fauxqs.ts';
import { findFreePort } from '../../infra/local/aws/emulators/ports.ts';
import { startSecrets } from '../../infra/local/aws/emulators/secrets.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import { sharedClient } from '../../shared/storage/client-config.ts';
import { retryStrategy } from '../../shared/storage/retry-strategy.ts';
import { attach } from '../simulation/aws/attach.ts';
import { MemoryDynamodb } from '../simulation/dynamodb/memory-dynamodb.ts';
import { overHttp } from '../simulation/dynamodb/over-http.ts';
import { awsAccess } from './aws-access.ts';
import { creationOf } from './create-table.ts';
import { type AwsClient, type Interference, interfereWith } from './interference.ts';
import { stopServer } from './local-server.ts';

const access = { ...awsAccess, maxAttempts: 1 };

export interface EmbeddedDynamodb {
  readonly client: DynamoDBClient;
  readonly endpoint: string;
  /** Lets a test interfere with the calls of the client that the functions use. */
  readonly connect: (client: AwsClient, interference: () => Interference) => unknown;
  /** Creates an empty table that has the structure in the contract and a unique name. */
  createTable(name: TableName): Promise<string>;
  /** Returns every row in a table. */
  rowsOf(table: string): Promise<Record<string, unknown>[]>;
}

/** Whether the tests use the simulated DynamoDB. These tests also run with the embedded DynamoDB. */
const isSimulated = process.env.SIMULATED_STORAGE === 'true';

interface Running {
  readonly client?: { destroy(): void };
  readonly stop: () => unknown;
}

/** Starts a server that runs during the tests of one file. Returns a function that returns the running server. */
function useServer<R extends Running>(start: () => Promise<R>): () => R {
  let running: R | undefined;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(async () => {
    running?.client?.destroy();
    await running?.stop();
  });
  return () => running ?? expect.unreachable('the embedded servers run only during tests');
}

/** Starts a DynamoDB instance for the test file. */
export function useDynamodb(): EmbeddedDynamodb {
  return isSimulated ? useSimulatedDynamodb() : useEmbeddedDynamodb();
}

function useSimulatedDynamodb(): EmbeddedDynamodb {
  const memory = new MemoryDynamodb({ now: () => Date.now(), ttlLagMs: Number.POSITIVE_INFINITY });
  const client = new DynamoDBClient({ ...access, retryStrategy: retryStrategy, requestHandler: overHttp(memory) });
  return {
    client,
    // The simulated DynamoDB has no endpoint, and functions use it through a connected client.
    endpoint: '',
    connect: (client, interference) => attach(client, memory, interference),
    async createTable(name) {
      const table = `${name}-${randomUUID()}`;
      memory.createTable(name, table);
      return table;
    },
    rowsOf: async (table) => Array.from(memory.tables.table(table).items(), (item) => unmarshall(item)),
  };
}

function useEmbeddedDynamodb(): EmbeddedDynamodb {
  const now = useServer(async () => {
    const server = await startAt(await findFreePort(), await findDynoxide());
    const client = sharedClient(() => new DynamoDBClient({ ...access, retryStrategy, endpoint: server.endpoint }))();
    return { server, client, stop: () => server.stop() };
  });
  return {
    get client() {
      return now().client;
    },
    get endpoint() {
      return now().server.endpoint;
    },
    connect: interfereWith,
    async createTable(name) {
      const table = `${name}-${randomUUID()}`;
      await now().client.send(creationOf(name, table));
      return table;
    },
    async rowsOf(table) {
      const { Items = [] } = await now().client.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
      return Items.map((item) => unmarshall(item));
    },
  };
}

interface SqsMessage {
  readonly body: string;
  readonly sentTimestamp: number;
  readonly delayUntil?: number;
}

/**
 * The payload and the delay of a queued message. The message group is not included, because fauxqs does not store
 * groups in standard queues.
 */
export interface Queued<Payload = unknown> {
  readonly payload: Payload;
  readonly delaySeconds: number;
}

/** Converts a message of the embedded SQS to its payload and its delay. */
export const queued = <Payload>({ body, sentTimestamp, delayUntil = sentTimestamp }: SqsMessage): Queued<Payload> => ({
  payload: JSON.parse(body),
  delaySeconds: Math.round((delayUntil - sentTimestamp) / 1000),
});

export interface EmbeddedSqs {
  readonly client: SQSClient;
  readonly server: FauxqsServer;
  readonly endpoint: string;
  /** Creates an empty queue with the given SQS attributes and returns its URL. */
  createQueue(attributes?: Readonly<Record<string, string>>): string;
  /** Returns all messages in a queue, including delayed messages, without receiving them. */
  messagesIn<Payload = unknown>(url: string): Queued<Payload>[];
}

/** Starts an in-process SQS for the test file. */
export function useSqs(): EmbeddedSqs {
  const now = useServer(async () => {
    const server = await startSqsAndS3();
    const endpoint = `http://127.0.0.1:${server.port}`;
    return { server, endpoint, client: new SQSClient({ ...access, endpoint }), stop: () => server.stop() };
  });
  return {
    get client() {
      return now().client;
    },
    get server() {
      return now().server;
    },
    get endpoint() {
      return now().endpoint;
    },
    createQueue: (attributes = {}) =>
      now().server.createQueue(`queue-${randomUUID()}`, { region: awsAccess.region, attributes }).queueUrl,
    messagesIn<Payload>(url: string) {
      const queue = now().server.inspectQueue(url.split('/').at(-1) ?? '');
      if (queue === undefined) throw new Error(`no such queue: ${url}`);
      return [...queue.messages.ready, ...queue.messages.delayed].map((message) => queued<Payload>(message));
    },
  };
}

/** Starts an in-process Secrets Manager for the test file, with one secret per ARN. */
export function useSecrets(texts: Readonly<Record<string, string>>): { readonly endpoint: string } {
  const now = useServer(async () => {
    const { server, endpoint, ensure } = await startSecrets(undefined);
    for (const [SecretId, SecretString] of Object.entries(texts)) {
      ensure(SecretId, 64);
      const headers = { 'x-amz-target': 'secretsmanager.PutSecretValue' };
      await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ SecretId, SecretString }) });
    }
    return { endpoint, stop: () => stopServer(server) };
  });
  return {
    get endpoint() {
      return now().endpoint;
    },
  };
}
