import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { preludeEnd } from '../functions/response-stream.ts';
import type { Outcome } from '../functions/sandbox-protocol.ts';
import type { GatewayError } from './gateway-responses.ts';
import { matchesMediaType } from './proxy-event.ts';
import type { Integration } from './routes.ts';

// Headers that REST APIs keep for themselves: a function's value leaves under another name.
const remapped = new Set(['connection', 'content-length', 'date', 'host', 'server', 'www-authenticate']);

function setHeaders(response: ServerResponse, headers: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(headers)) {
    const values = [value].flat().map(String);
    if (values.length === 0) continue;
    const own = remapped.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;
    response.setHeader(own, values.length === 1 ? (values[0] ?? '') : values);
  }
}

function isReply(reply: unknown): reply is APIGatewayProxyResult {
  const { statusCode, body } = (reply ?? {}) as Partial<Record<keyof APIGatewayProxyResult, unknown>>;
  const hasStatus = Number.isInteger(Number(statusCode)) && Number(statusCode) >= 100 && Number(statusCode) < 600;
  return hasStatus && (body === undefined || body === null || typeof body === 'string');
}

/** Writes a function's answer, or says which gateway response a malformed one becomes. */
export function writeFunctionReply(
  response: ServerResponse,
  reply: unknown,
  accept: string | undefined,
  binaryMediaTypes: string[],
): GatewayError | undefined {
  if (!isReply(reply)) return { type: 'DEFAULT_5XX' };
  const headers: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    // No value is no header, and no default of the gateway's either.
    headers[name.toLowerCase()] = value === null ? [] : [String(value)];
  }
  for (const [name, values] of Object.entries(reply.multiValueHeaders ?? {})) {
    headers[name.toLowerCase()] = values?.map(String) ?? [];
  }
  headers['content-type'] ??= ['application/json'];
  // As in the cloud, bytes are only bytes again where the API lists the type that the client accepts first.
  const acceptsBytes = matchesMediaType(binaryMediaTypes, accept?.split(',')[0]);
  const body = Buffer.from(reply.body ?? '', reply.isBase64Encoded && acceptsBytes ? 'base64' : 'utf8');
  setHeaders(response, headers);
  const status = Number(reply.statusCode);
  if (status !== 204 && status !== 304) response.setHeader('content-length', body.length);
  response.writeHead(status).end(body);
  return undefined;
}

/** Status and headers of a streamed answer; undefined while they have not come whole. */
function readPrelude(bytes: Buffer): { prelude: APIGatewayProxyResult; rest: Buffer } | undefined {
  const end = bytes.indexOf(preludeEnd);
  if (end < 0) return undefined;
  return {
    prelude: JSON.parse(bytes.subarray(0, end).toString('utf8')),
    rest: bytes.subarray(end + preludeEnd.length),
  };
}

/** Passes a streamed answer on: its head as soon as that is known, then every chunk when the client has taken the last. */
export function createReplyStream(response: ServerResponse) {
  let head: Buffer = Buffer.alloc(0);

  const write = async (bytes: Uint8Array): Promise<void> => {
    // To a client that went away nothing is written, but the function may finish.
    if (bytes.length === 0 || response.destroyed || response.write(bytes)) return;
    await Promise.race([once(response, 'drain'), once(response, 'close')]);
  };

  return {
    async take(bytes: Uint8Array): Promise<void> {
      if (response.headersSent) return write(bytes);
      head = Buffer.concat([head, bytes]);
      const parsed = readPrelude(head);
      if (parsed === undefined) return;
      const { statusCode, headers = {}, multiValueHeaders = {} } = parsed.prelude;
      setHeaders(response, { ...headers, ...multiValueHeaders });
      response.writeHead(statusCode);
      response.flushHeaders();
      await write(parsed.rest);
    },
    /** What the gateway answers instead; nothing where the head has gone out, for then the answer is only cut off. */
    end(outcome: Outcome | undefined): GatewayError | undefined {
      if (response.headersSent) {
        if (outcome === undefined || outcome.failure) response.destroy();
        else response.end();
        return undefined;
      }
      return outcome === undefined ? { type: 'INTEGRATION_TIMEOUT' } : { type: 'DEFAULT_5XX' };
    },
  };
}

/** A MOCK integration answers its first integration response: enough for CORS preflights. */
export function writeMockReply(response: ServerResponse, integration: Integration): undefined {
  const answer = integration.IntegrationResponses?.[0];
  for (const [target, source] of Object.entries(answer?.ResponseParameters ?? {})) {
    const name = target.match(/^method\.response\.header\.(.+)$/)?.[1];
    if (name) response.setHeader(name, source.replace(/^'|'$/g, ''));
  }
  response.writeHead(Number(answer?.StatusCode ?? 200)).end();
}
