import { Readable } from 'node:stream';
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Store } from '../contract/define-store.ts';
import type { Endpoint, ReplyOf, RequestOf } from '../contract/endpoint.ts';
import type { Bytes, Empty } from '../contract/reply.ts';
import { tellsMetrics } from './emit-metrics.ts';
import { inTime } from './in-invocation.ts';
import { lazyTools } from './open-tools.ts';
import { readRequest } from './read-request.ts';
import { declaredReply, house } from './reply.ts';
import { answerErrors, type Tools } from './serve.ts';

interface StreamResult {
  statusCode: number;
  headers: Record<string, string>;
  body: NodeJS.ReadableStream | string;
}

/** HEAD is answered as GET is, refusals and faults too, without the body (RFC 9110 section 9.3.2). */
function leaveBodyOut({ event, response }: middy.Request<APIGatewayProxyEvent, StreamResult>): void {
  if (event.httpMethod !== 'HEAD' || !response) return;
  if (response.body instanceof Readable) response.body.destroy();
  response.body = '';
}

type StreamHandler = (event: APIGatewayProxyEvent, stream: unknown, context: Context) => Promise<void>;

/**
 * Makes the Lambda handler of an endpoint that streams its answer. Requests are parsed, tools opened and errors answered
 * as `serve` does it. Whatever can go wrong must have gone wrong before a reply is given, for then its status is sent.
 */
export function serveStream<const E extends Endpoint<Bytes | Empty>, const Stores extends readonly Store[]>(
  endpoint: E,
  stores: Stores,
  handle: (request: RequestOf<E>, tools: Tools<E, Stores>) => Promise<ReplyOf<E>>,
): StreamHandler {
  const tools = lazyTools(endpoint, stores);
  const answer = async (event: APIGatewayProxyEvent, context: Context): Promise<StreamResult> => {
    const request = readRequest(endpoint, event) as RequestOf<E>;
    const reply = await inTime(context, endpoint.operation, () => handle(request, tools()));
    const { headers } = declaredReply(endpoint, reply);
    return { statusCode: reply.status, headers: { ...house, ...headers }, body: reply.body ?? '' };
  };
  const handler = middy<APIGatewayProxyEvent, StreamResult>({
    ...tellsMetrics,
    executionMode: executionModeStreamifyResponse,
  })
    // The first comes last where answers are on their way.
    .use([{ after: leaveBodyOut, onError: leaveBodyOut }, answerErrors<StreamResult>(endpoint)])
    .handler(answer);
  // The types of middy do not say that this mode takes the stream, and answers nothing.
  return handler as unknown as StreamHandler;
}
