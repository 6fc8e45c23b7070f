import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { dynamo } from '../../shared/storage/dynamo.ts';
import { type EmbeddedDynamodb, useDynamodb } from '../support/embedded.ts';
import { apiEvent, context } from '../support/lambda-events.ts';

type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
type Given = Parameters<typeof apiEvent>[0];

interface Answered {
  readonly status: number;
  readonly json: unknown;
  readonly headers: APIGatewayProxyResult['headers'];
  /** Body and headers, as they leave. */
  readonly text: string;
}

interface Functions extends Omit<EmbeddedDynamodb, 'createTable'> {
  /** The one persons table of this file: a function reads its variables once. */
  readonly table: string;
  /** Every request that the functions sent to DynamoDB in this test, attempts again included. */
  readonly calls: string[];
  run(handler: ApiHandler, given: Given): Promise<Answered>;
}

/** Runs the deployed functions over persons in this process, against an embedded DynamoDB, and counts what they ask of it. */
export function useFunctions(): Functions {
  const dynamodb = useDynamodb();
  const calls: string[] = [];
  const before = { ...process.env };
  let table = '';
  beforeAll(async () => {
    table = await dynamodb.createTable('persons');
    const endpoint = await dynamodb.client.config.endpoint?.();
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_DYNAMODB: `http://${endpoint?.hostname}:${endpoint?.port}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      PERSONS_TABLE: table,
      UIN_LENGTH: '12',
      EXTRA_ATTRIBUTES: 'tribe, prénom',
    });
    // After the SDK's own retries, so that each attempt counts.
    dynamo().middlewareStack.add(
      (next, { commandName }) =>
        (request) => {
          calls.push(String(commandName));
          return next(request);
        },
      { step: 'deserialize', name: 'countCalls' },
    );
  });
  beforeEach(() => {
    calls.length = 0;
  });
  afterAll(() => {
    dynamo().destroy();
    process.env = before;
  });
  return {
    get client() {
      return dynamodb.client;
    },
    get table() {
      return table;
    },
    calls,
    rowsOf: (name) => dynamodb.rowsOf(name),
    async run(handler, given) {
      const { statusCode, body, headers } = await handler(apiEvent(given), context);
      const json: unknown = body === '' ? undefined : JSON.parse(body);
      return { status: statusCode, json, headers, text: body + JSON.stringify(headers) };
    },
  };
}
