import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { preludeEnd } from '../functions/response-stream.ts';
import type { Outcome } from '../functions/sandbox-protocol.ts';
import type { GatewayError } from './gateway-responses.ts';
import { matchesMediaType } from './proxy-event.ts';
import type { Integration } from './routes.ts';

// The headers that API Gateway renames in responses of functions.
const reservedHeaders = new Set(['connection', 'content-length', 'date', 'host', 'server', 'www-authenticate']);

function setHeaders(response: ServerResponse, headers: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(headers)) {
    const values = [value].flat().map(String);
    if (values.length === 0) continue;
    const sentName = reservedHeaders.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;
    response.setHeader(sentName, values.length === 1 ? (values[0] ?? '') : values);
  }
}

function isProxyResult(result: unknown): result is APIGatewayProxyResult {
  const { statusCode, body } = (result ?? {}) as Partial<Record<keyof APIGatewayProxyResult, unknown>>;
  const hasStatus = Number.isInteger(Number(statusCode)) && Number(statusCode) >= 100 && Number(statusCode) < 600;
  return hasStatus && (body === undefined || body === null || typeof body === 'string');
}

/** Writes the response of a function. Returns a gateway error if the response is malformed. */
export function writeFunctionResponse(
  response: ServerResponse,
  result: unknown,
  accept: string | undefined,
  binaryMediaTypes: string[],
): GatewayError | undefined {
  if (!isProxyResult(result)) return { type: 'DEFAULT_5XX' };
  const headers: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(result.headers ?? {})) {
    // A null value removes a header, even if the gateway would set a default value.
    headers[name.toLowerCase()] = value === null ? [] : [String(value)];
  }
  for (const [name, values] of Object.entries(result.multiValueHeaders ?? {})) {
    headers[name.toLowerCase()] = values?.map(String) ?? [];
  }
  headers['content-type'] ??= ['application/json'];
  // Like API Gateway, decodes base64 only if the first media type in `Accept` is a binary media type of the API.
  const acceptsBytes = matchesMediaType(binaryMediaTypes, accept?.split(',')[0]);
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded && acceptsBytes ? 'base64' : 'utf8');
  setHeaders(response, headers);
  const status = Number(result.statusCode);
  if (status !== 204 && status !== 304) response.setHeader('content-length', body.length);
  response.writeHead(status).end(body);
  return undefined;
}

/** Parses the status and headers of a streamed response. Returns undefined until all headers have arrived. */
function readPrelude(bytes: Buffer): { prelude: APIGatewayProxyResult; rest: Buffer } | undefined {
  const end = bytes.indexOf(preludeEnd);
  if (end < 0) return undefined;
  return {
    prelude: JSON.parse(bytes.subarray(0, end).toString('utf8')),
    rest: bytes.subarray(end + preludeEnd.length),
  };
}

/**
 * Forwards a streamed response: first the status and headers, then each chunk after the client has read the previous
 * chunk.
 */
export function createResponseStream(response: ServerResponse) {
  let head: Buffer = Buffer.alloc(0);

  const writeChunk = async (bytes: Uint8Array): Promise<void> => {
    // Lets the function finish, even if the client has disconnected.
    if (bytes.length === 0 || response.destroyed || response.write(bytes)) return;
    await Promise.race([once(response, 'drain'), once(response, 'close')]);
  };

  return {
    async write(bytes: Uint8Array): Promise<void> {
      if (response.headersSent) return writeChunk(bytes);
      head = Buffer.concat([head, bytes]);
      const parsed = readPrelude(head);
      if (parsed === undefined) return;
      const { statusCode, headers = {}, multiValueHeaders = {} } = parsed.prelude;
      setHeaders(response, { ...headers, ...multiValueHeaders });
      response.writeHead(statusCode);
      response.flushHeaders();
      await writeChunk(parsed.rest);
    },
    /**
     * Ends the response, or returns a gateway error if the call failed. After the headers have been sent, a failed call
     * closes the connection instead.
     */
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

/** Sends the first integration response of a MOCK integration, which is sufficient for CORS preflight requests. */
export function writeMockResponse(response: ServerResponse, integration: Integration): undefined {
  const mock = integration.IntegrationResponses?.[0];
  for (const [target, source] of Object.entries(mock?.ResponseParameters ?? {})) {
    const name = target.match(/^method\.response\.header\.(.+)$/)?.[1];
    if (name) response.setHeader(name, source.replace(/^'|'$/g, ''));
  }
  response.writeHead(Number(mock?.StatusCode ?? 200)).end();
}
