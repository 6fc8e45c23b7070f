import { Readable } from 'node:stream';
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Store } from '../contract/define-store.ts';
import type { Endpoint, ReplyOf, RequestOf } from '../contract/endpoint.ts';
import type { Bytes, Empty } from '../contract/schemas.ts';
import { writesMetrics } from './emit-metrics.ts';
import { inTime } from './in-invocation.ts';
import { lazyTools, type ToolsOf } from './open-tools.ts';
import { readRequest } from './read-request.ts';
import { commonHeaders, declaredReply } from './reply.ts';
import { respondToErrors } from './serve.ts';

interface StreamResult {
  statusCode: number;
  headers: Record<string, string>;
  body: NodeJS.ReadableStream | string;
}

/**
 * Removes the body from the response to a HEAD request. In all other respects, the response is the same as for GET,
 * even if it is an error (RFC 9110 section 9.3.2).
 */
function omitBody({ event, response }: middy.Request<APIGatewayProxyEvent, StreamResult>): void {
  if (event.httpMethod !== 'HEAD' || !response) return;
  if (response.body instanceof Readable) response.body.destroy();
  response.body = '';
}

type StreamHandler = (event: APIGatewayProxyEvent, stream: unknown, context: Context) => Promise<void>;

/**
 * Creates the Lambda handler of an endpoint that streams its response. Parsing, tools and errors work the same way as
 * in `serve`. Handlers must do everything that can fail before they return, because the status is sent when they
 * return.
 */
export function serveStream<const E extends Endpoint<Bytes | Empty>, const Stores extends readonly Store[]>(
  endpoint: E,
  stores: Stores,
  handle: (request: RequestOf<E>, tools: ToolsOf<E, Stores>) => Promise<ReplyOf<E>>,
): StreamHandler {
  const tools = lazyTools(endpoint, stores);
  const respond = async (event: APIGatewayProxyEvent, context: Context): Promise<StreamResult> => {
    const request = readRequest(endpoint, event) as RequestOf<E>;
    const reply = await inTime(context, endpoint.operation, () => handle(request, tools()));
    const { headers } = declaredReply(endpoint, reply);
    return { statusCode: reply.status, headers: { ...commonHeaders, ...headers }, body: reply.body ?? '' };
  };
  const handler = middy<APIGatewayProxyEvent, StreamResult>({
    ...writesMetrics,
    executionMode: executionModeStreamifyResponse,
  })
    // Middleware that is registered first processes the response last.
    .use([{ after: omitBody, onError: omitBody }, respondToErrors<StreamResult>(endpoint)])
    .handler(respond);
  // The middy types do not cover streaming mode, in which the handler writes to the stream and returns nothing.
  return handler as unknown as StreamHandler;
}
