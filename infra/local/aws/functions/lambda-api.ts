import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { guard } from '../../guard.ts';
import type { LocalFunction, Runtime } from './runtime.ts';

interface LambdaApi {
  endpoint: string;
  stop(): Promise<void>;
}

interface LambdaResponse {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

const errorResponse = (status: number, type: string, Message: string): LambdaResponse => ({
  status,
  headers: { 'x-amzn-errortype': type },
  body: JSON.stringify({ Type: 'User', Message }),
});

async function invoke(target: LocalFunction, invocationType: string, payload: string): Promise<LambdaResponse> {
  let event: unknown;
  try {
    event = JSON.parse(payload || '{}');
  } catch {
    const reason = 'Could not parse request body into json';
    return errorResponse(400, 'InvalidRequestContentException', reason);
  }
  if (invocationType === 'DryRun') return { status: 204, body: '' };
  const outcome = target.invoke(event);
  // The caller of an asynchronous invocation does not wait for the outcome, and failures are only logged.
  if (invocationType === 'Event') return { status: 202, body: '' };
  const { failure, payload: result = '' } = await outcome;
  const version = { 'x-amz-executed-version': '$LATEST' };
  if (!failure) return { status: 200, headers: version, body: result };
  const headers = { ...version, 'x-amz-function-error': 'Unhandled' };
  return { status: 200, headers, body: JSON.stringify(failure) };
}

/** Emulates the Lambda operation Invoke. Callers identify a function by its name, ARN or construct id. */
export async function startLambdaApi(runtime: () => Runtime): Promise<LambdaApi> {
  const find = (name: string) =>
    runtime().find(name) ?? runtime().functions.find(({ constructId }) => constructId === name);

  const respond = async (request: IncomingMessage): Promise<LambdaResponse> => {
    const { method, url = '', headers } = request;
    // Requires the `Authorization` header, which web pages cannot send without a preflight request. The signature is
    // not verified.
    if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256 '))
      return errorResponse(403, 'AccessDeniedException', 'requests must be signed with AWS Signature Version 4');
    const name = url.match(/^\/2015-03-31\/functions\/([^/?]+)\/invocations(?:\?|$)/)?.[1];
    if (method !== 'POST' || name === undefined) {
      return errorResponse(404, 'UnknownOperationException', 'only Invoke is supported');
    }
    const target = find(decodeURIComponent(name));
    if (!target)
      return errorResponse(404, 'ResourceNotFoundException', `Function not found: ${decodeURIComponent(name)}`);
    return invoke(target, String(headers['x-amz-invocation-type'] ?? 'RequestResponse'), await text(request));
  };

  const server = createServer((request, response) => {
    respond(request).then(
      ({ status, headers, body }) =>
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body),
      // The path is not valid percent-encoded UTF-8, or the caller has disconnected.
      () => response.writeHead(400).end(),
    );
  });
  guard(server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
