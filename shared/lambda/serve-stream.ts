import type { Readable } from 'node:stream';
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Store } from '../contract/capabilities.ts';
import type { Endpoint, RequestOf } from '../contract/endpoint.ts';
import { lazyTools } from './open-tools.ts';
import { readRequest } from './read-request.ts';
import { house } from './reply.ts';
import { answerErrors, type Tools } from './serve.ts';

/** An answer of bytes: whatever can go wrong has gone wrong before it is given, for then its status is sent. */
export interface StreamReply<Status extends number = number> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  /** Left out: an answer without a body. */
  readonly body?: Readable;
}

interface StreamResult {
  statusCode: number;
  headers: Record<string, string>;
  body: Readable | string;
}

type StreamHandler = (event: APIGatewayProxyEvent, stream: unknown, context: Context) => Promise<void>;

/**
 * Makes the Lambda handler of an endpoint that streams its answer. Requests are parsed, tools opened and errors answered
 * as `serve` does it.
 */
export function serveStream<const E extends Endpoint, const Stores extends readonly Store[]>(
  endpoint: E,
  stores: Stores,
  handle: (request: RequestOf<E>, tools: Tools<E, Stores>) => Promise<StreamReply<keyof E['replies'] & number>>,
): StreamHandler {
  const toolsOf = lazyTools(endpoint, stores);
  const answer = async (event: APIGatewayProxyEvent): Promise<StreamResult> => {
    const tools = toolsOf();
    const { status, headers, body } = await handle(readRequest(endpoint, event) as RequestOf<E>, tools);
    return { statusCode: status, headers: { ...house, ...headers }, body: body ?? '' };
  };
  const mode = { executionMode: executionModeStreamifyResponse };
  return middy<APIGatewayProxyEvent, StreamResult>(mode as middy.PluginObject)
    .use(answerErrors<StreamResult>(endpoint) as middy.MiddlewareObj<APIGatewayProxyEvent, StreamResult>)
    .handler(answer as never) as unknown as StreamHandler;
}
