import type { ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { GatewayError } from './gateway-responses.ts';
import { matchesMediaType } from './proxy-event.ts';
import type { Integration } from './routes.ts';

// Headers that REST APIs keep for themselves: a function's value leaves under another name.
const remapped = new Set(['connection', 'content-length', 'date', 'host', 'server', 'www-authenticate']);

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
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers[name.toLowerCase()] = [String(value)];
  for (const [name, values] of Object.entries(reply.multiValueHeaders ?? {})) {
    headers[name.toLowerCase()] = values?.map(String) ?? [];
  }
  headers['content-type'] ??= ['application/json'];
  // As in the cloud, bytes are only bytes again where the API lists the type that the client accepts first.
  const acceptsBytes = matchesMediaType(binaryMediaTypes, accept?.split(',')[0]);
  const body = Buffer.from(reply.body ?? '', reply.isBase64Encoded && acceptsBytes ? 'base64' : 'utf8');
  for (const [name, values] of Object.entries(headers)) {
    response.setHeader(remapped.has(name) ? `x-amzn-Remapped-${name}` : name, values);
  }
  const status = Number(reply.statusCode);
  if (status !== 204 && status !== 304) response.setHeader('content-length', body.length);
  response.writeHead(status).end(body);
  return undefined;
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
