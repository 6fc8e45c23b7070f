import type { MemoryDynamodb } from './memory-dynamodb.ts';

interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface ServiceError extends Error {
  readonly $metadata?: unknown;
  readonly $fault?: unknown;
}

// Binary values are sent as base64 strings. In DynamoDB messages, a key `B` with a string value is always a type
// descriptor and never an attribute name.
const readBinary = (key: string, value: unknown): unknown => {
  if (key === 'B' && typeof value === 'string') return Buffer.from(value, 'base64');
  return key === 'BS' && Array.isArray(value) ? value.map((one) => Buffer.from(one, 'base64')) : value;
};
function writeBinary(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const given = this[key];
  return given instanceof Uint8Array ? Buffer.from(given).toString('base64') : value;
}

const answer = (statusCode: number, content: object) => ({
  response: {
    statusCode,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(JSON.stringify(content, writeBinary)),
  },
});

/**
 * Returns a request handler that connects a DynamoDBClient to the simulated DynamoDB instead of the network. The whole
 * SDK runs, from serializers to retries, so calls are slower than if `send` were replaced.
 */
export const overHttp = (memory: MemoryDynamodb) => ({
  metadata: { handlerProtocol: 'memory' },
  destroy: () => {},
  async handle({ headers, body }: HttpRequest) {
    const operation = headers['x-amz-target']?.split('.')[1] ?? '';
    try {
      const input = JSON.parse(new TextDecoder().decode(body as Uint8Array), readBinary);
      const { $metadata: _, ...output } = (await memory.execute(operation, input)) as { $metadata: unknown };
      return answer(200, output);
    } catch (error) {
      const { name, message, $metadata: _, $fault: __, ...more } = error as ServiceError;
      return answer(400, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...more });
    }
  },
  updateHttpClientConfig: () => {},
  httpHandlerConfigs: () => ({}),
});
