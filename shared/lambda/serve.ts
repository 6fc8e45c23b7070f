import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Granted, Store } from '../contract/capabilities.ts';
import type { Endpoint, ReplyOf, RequestOf } from '../contract/endpoint.ts';
import type { SettingValues } from '../contract/settings.ts';
import { Refusal } from '../model/refusals.ts';
import { type Edges, edges } from './edges.ts';
import { openStores, processEnvironment, readSettings } from './environment.ts';
import { logFault, logInfo } from './log.ts';
import { readRequest } from './read-request.ts';
import { type Reply, writeFault, writeRefusal, writeReply } from './reply.ts';

/** What a handler works with: the edges, its settings, and just the store methods that its endpoint declares. */
export type Tools<E extends Endpoint, Stores extends readonly Store[]> = Granted<Stores, E['uses'][number]> &
  Edges & { readonly settings: SettingValues<E['reads'][number]> };

/** Opens an endpoint's tools at the first event, and once. */
export function lazyTools<const E extends Endpoint, const Stores extends readonly Store[]>(
  endpoint: E,
  stores: Stores,
): () => Tools<E, Stores> {
  let tools: Tools<E, Stores> | undefined;
  return () => {
    if (tools !== undefined) return tools;
    const environment = processEnvironment();
    const opened = openStores(stores, endpoint.uses, environment);
    tools = { ...opened, ...edges, settings: readSettings(endpoint.reads, environment) } as Tools<E, Stores>;
    return tools;
  };
}

type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * Makes the Lambda handler of an endpoint. The given function gets the request parsed and answers a declared reply; a
 * thrown Refusal becomes its Error object, anything else a logged 500.
 */
export function serve<const E extends Endpoint, const Stores extends readonly Store[]>(
  endpoint: E,
  stores: Stores,
  handle: (request: RequestOf<E>, tools: Tools<E, Stores>) => Promise<ReplyOf<E>>,
): ApiHandler {
  const toolsOf = lazyTools(endpoint, stores);
  const answer = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const tools = toolsOf();
    const request = readRequest(endpoint, event) as RequestOf<E>;
    return writeReply(endpoint, (await handle(request, tools)) as Reply);
  };
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(answerErrors<APIGatewayProxyResult>(endpoint))
    .handler(answer) as unknown as ApiHandler;
}

/** Turns what was thrown into an answer, and writes the audit line: who called what, and how it ended. */
export function answerErrors<Result extends { statusCode: number }>(
  endpoint: Endpoint,
): middy.MiddlewareObj<APIGatewayProxyEvent, Result | APIGatewayProxyResult> {
  const ids = (event: APIGatewayProxyEvent) => ({
    operation: endpoint.operation,
    requestId: event.requestContext.requestId,
    caller: String(event.requestContext.authorizer?.caller ?? ''),
  });
  return {
    after: ({ event, response }) => logInfo('answered', { ...ids(event), status: response?.statusCode }),
    onError: (request) => {
      const { error, event } = request;
      const isRefusal = error instanceof Refusal;
      const response = isRefusal ? writeRefusal(error) : writeFault(event.requestContext.requestId);
      request.response = response;
      if (isRefusal) logInfo('refused', { ...ids(event), status: response.statusCode, refusal: error.refusal });
      else logFault('failed', error, { ...ids(event), status: 500 });
    },
  };
}
