import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context, SQSEvent } from 'aws-lambda';

interface Given {
  readonly path?: Readonly<Record<string, string>>;
  /** The raw query string. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  readonly caller?: string;
  readonly isAdmin?: boolean;
  readonly method?: string;
}

const asList = (value: string | readonly string[]): string[] => (typeof value === 'string' ? [value] : [...value]);

function multiOf(query: string): Record<string, string[]> | null {
  const parameters = new URLSearchParams(query);
  const names = [...new Set(parameters.keys())];
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, parameters.getAll(name)]));
}

/** A REST API proxy event. A body of the type Buffer is encoded as base64. */
export function apiEvent({
  path,
  query = '',
  headers = {},
  body,
  caller = 'client-1',
  isAdmin = false,
  method = 'GET',
}: Given = {}) {
  const event = {
    httpMethod: method,
    pathParameters: path ?? null,
    multiValueQueryStringParameters: multiOf(query),
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asList(value)])),
    body: body === undefined ? null : typeof body === 'string' ? body : body.toString('base64'),
    isBase64Encoded: Buffer.isBuffer(body),
    requestContext: {
      requestId: 'request-1',
      domainName: 'api.example.org',
      path: '/v1/list',
      authorizer: { principalId: caller, caller, callerClaim: 'client_id', isAdmin: String(isAdmin) },
    },
  };
  return event as unknown as APIGatewayProxyEvent;
}

export const context = { awsRequestId: 'request-1', functionName: 'test' } as Context;

/** A batch of queue messages. If a payload is a string, it is the raw message body. */
export function sqsEvent(...jobs: readonly unknown[]): SQSEvent {
  const records = jobs.map((payload, index) => ({
    messageId: `record-${index}`,
    receiptHandle: randomUUID(),
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  }));
  return { Records: records } as unknown as SQSEvent;
}
