import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { LocalFunction, Runtime } from './runtime.ts';

export interface LambdaApi {
  endpoint: string;
  stop(): Promise<void>;
}

interface LambdaReply {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

const refusal = (status: number, type: string, Message: string): LambdaReply => ({
  status,
  headers: { 'x-amzn-errortype': type },
  body: JSON.stringify({ Type: 'User', Message }),
});

async function invoke(target: LocalFunction, invocationType: string, payload: string): Promise<LambdaReply> {
  let event: unknown;
  try {
    event = JSON.parse(payload || '{}');
  } catch {
    const reason = 'Could not parse request body into json';
    return refusal(400, 'InvalidRequestContentException', reason);
  }
  if (invocationType === 'DryRun') return { status: 204, body: '' };
  const outcome = target.invoke(event);
  // Its outcome is nobody's: a failure stands in the log.
  if (invocationType === 'Event') return { status: 202, body: '' };
  const { failure, payload: result = '' } = await outcome;
  const version = { 'x-amz-executed-version': '$LATEST' };
  if (!failure) return { status: 200, headers: version, body: result };
  const headers = { ...version, 'x-amz-function-error': 'Unhandled' };
  return { status: 200, headers, body: JSON.stringify(failure) };
}

/** The one operation of Lambda's API that operators use: Invoke. Functions are known by name, by ARN and by construct id. */
export async function startLambdaApi(runtime: () => Runtime): Promise<LambdaApi> {
  const find = (name: string) =>
    runtime().find(name) ?? runtime().functions.find(({ constructId }) => constructId === name);

  const answer = async (method: string, url: string, invocationType: string, payload: string) => {
    const name = url.match(/^\/2015-03-31\/functions\/([^/?]+)\/invocations(?:\?|$)/)?.[1];
    if (method !== 'POST' || name === undefined) {
      return refusal(404, 'UnknownOperationException', 'only Invoke is spoken here');
    }
    const target = find(decodeURIComponent(name));
    if (!target) return refusal(404, 'ResourceNotFoundException', `Function not found: ${decodeURIComponent(name)}`);
    return invoke(target, invocationType, payload);
  };

  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const type = String(headers['x-amz-invocation-type'] ?? 'RequestResponse');
    const reply = await answer(method, url, type, await text(request));
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body);
  });
  server.listen(0, '127.0.0.1');
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
