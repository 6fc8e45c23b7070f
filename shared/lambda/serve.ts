import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Store } from '../contract/define-store.ts';
import type { Endpoint, ReplyOf, RequestOf } from '../contract/endpoint.ts';
import { faultLogged } from '../contract/log-lines.ts';
import type { Empty, Json, Page } from '../contract/reply.ts';
import { Refusal } from '../model/refusals.ts';
import { absoluteLink } from './absolute-link.ts';
import { tellsMetrics } from './emit-metrics.ts';
import { inTime } from './in-invocation.ts';
import { logFault, logInfo } from './logger.ts';
import { lazyTools, type ToolsOf } from './open-tools.ts';
import { readRequest } from './read-request.ts';
import { asJson, type Form, writeFault, writeRefusal, writeReply } from './reply.ts';

export type Tools<E extends Endpoint, Stores extends readonly Store[]> = ToolsOf<E, Stores>;

// That they cannot be read may be the very fault that is answered.
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Makes `serve` for endpoints that answer in this form, made for each request by the function's settings. */
export const serveAs =
  <Replies extends Json | Empty | Page, Own extends Form>(
    formOf: (event: APIGatewayProxyEvent, settings: object) => Own,
  ) =>
  <const E extends Endpoint<Replies>, const Stores extends readonly Store[]>(
    endpoint: E,
    stores: Stores,
    handle: (request: RequestOf<E>, tools: Tools<E, Stores>, form: Own) => Promise<ReplyOf<E>>,
  ): ApiHandler => {
    const tools = lazyTools(endpoint, stores);
    const formFor = (event: APIGatewayProxyEvent): Own => formOf(event, readable(() => tools().settings) ?? {});
    const answer = async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
      const request = readRequest(endpoint, event) as RequestOf<E>;
      const reply = await inTime(context, endpoint.operation, () => handle(request, tools(), formFor(event)));
      const { baseUrl } = tools().settings as { readonly baseUrl?: string };
      return writeReply(endpoint, absoluteLink(endpoint, reply, event, baseUrl), formFor(event));
    };
    return middy<APIGatewayProxyEvent, APIGatewayProxyResult>(tellsMetrics)
      .use(answerErrors<APIGatewayProxyResult>(endpoint, formFor))
      .handler(answer);
  };

/**
 * Makes the Lambda handler of an endpoint. The given function gets the request parsed and answers a declared reply; a
 * thrown Refusal becomes its Error object, anything else a logged 500.
 */
export const serve = serveAs<Json | Empty, Form>(() => asJson);

/** Turns what was thrown into an answer, and writes the audit line: who called what, and how it ended. */
export function answerErrors<Result extends { statusCode: number }>(
  endpoint: Endpoint,
  formFor: (event: APIGatewayProxyEvent) => Form = () => asJson,
): middy.MiddlewareObj<APIGatewayProxyEvent, Result | APIGatewayProxyResult> {
  const ids = (event: APIGatewayProxyEvent) => ({
    operation: endpoint.operation,
    requestId: event.requestContext.requestId,
    caller: String(event.requestContext.authorizer?.principalId ?? ''),
  });
  return {
    after: ({ event, response }) => logInfo('answered', { ...ids(event), status: response?.statusCode }),
    onError: (request) => {
      const { error, event } = request;
      const isRefusal = error instanceof Refusal;
      const form = formFor(event);
      const response = isRefusal ? writeRefusal(error, form) : writeFault(event.requestContext.requestId, form);
      request.response = response;
      if (isRefusal) logInfo('refused', { ...ids(event), status: response.statusCode, refusal: error.refusal });
      else logFault(faultLogged, error, { ...ids(event), status: 500 });
    },
  };
}
