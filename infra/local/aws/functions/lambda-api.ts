import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
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

/**
 * Whether a tool of AWS asks, and no page in a browser: a signature that is not checked here still needs a header that pages
 * may not set unasked, and a name that leads to this machine is not its address.
 */
const isTool = ({ authorization = '', host = '', origin }: IncomingHttpHeaders): boolean =>
  authorization.startsWith('AWS4-HMAC-SHA256 ') &&
  /^(?:127\.0\.0\.1|localhost):\d+$/.test(host) &&
  origin === undefined;

/** The one operation of Lambda's API that operators use: Invoke. Functions are known by name, by ARN and by construct id. */
export async function startLambdaApi(runtime: () => Runtime): Promise<LambdaApi> {
  const find = (name: string) =>
    runtime().find(name) ?? runtime().functions.find(({ constructId }) => constructId === name);

  const answer = async (request: IncomingMessage): Promise<LambdaReply> => {
    const { method, url = '', headers } = request;
    if (!isTool(headers)) return refusal(403, 'AccessDeniedException', 'sign the request, as the tools of AWS do');
    const name = url.match(/^\/2015-03-31\/functions\/([^/?]+)\/invocations(?:\?|$)/)?.[1];
    if (method !== 'POST' || name === undefined) {
      return refusal(404, 'UnknownOperationException', 'only Invoke is spoken here');
    }
    const target = find(decodeURIComponent(name));
    if (!target) return refusal(404, 'ResourceNotFoundException', `Function not found: ${decodeURIComponent(name)}`);
    return invoke(target, String(headers['x-amz-invocation-type'] ?? 'RequestResponse'), await text(request));
  };

  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, headers, body }) =>
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body),
      // A path that is not percent-encoded UTF-8, or a caller that went away in the middle.
      () => response.writeHead(400).end(),
    );
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
