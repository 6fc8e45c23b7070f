import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Store } from '../contract/define-store.ts';
import type { Endpoint, ReplyOf, RequestOf } from '../contract/endpoint.ts';
import { internalErrorLogged } from '../contract/log-lines.ts';
import type { Empty, Json, Page } from '../contract/schemas.ts';
import { ClientError } from '../domain/client-errors.ts';
import { writesMetrics } from './emit-metrics.ts';
import { inTime } from './in-invocation.ts';
import { logError, logInfo } from './logger.ts';
import { lazyTools, type ToolsOf } from './open-tools.ts';
import { headerValues, readRequest } from './read-request.ts';
import { asJson, type Form, writeClientError, writeInternalError, writeReply } from './reply.ts';

/**
 * Returns the URL of the list. The URL begins with the deployment's base URL or, if there is none, with the URL that
 * API Gateway received.
 */
function addressOf({ path }: Endpoint, event: APIGatewayProxyEvent, baseUrl: string): string {
  if (baseUrl !== '') {
    const own = path.replace(/\{(\w+)\}/g, (_, name: string) => event.pathParameters?.[name] ?? '');
    return `${baseUrl.replace(/\/+$/, '')}${own}`;
  }
  // The path in the request context begins with the stage or with the base path of a custom domain.
  const { domainName, path: seen } = event.requestContext;
  const isHttp = headerValues(event, 'x-forwarded-proto')?.[0] === 'http';
  return `${isHttp ? 'http' : 'https'}://${domainName}${seen}`;
}

/**
 * Makes the URL in a reply's `link` header absolute. Many clients do not resolve relative references, although RFC 8288
 * requires this.
 */
export function absoluteLink<Reply extends { readonly headers?: unknown }>(
  endpoint: Endpoint,
  reply: Reply,
  event: APIGatewayProxyEvent,
  baseUrl = '',
): Reply {
  const { link } = (reply.headers ?? {}) as { readonly link?: string };
  if (!link?.startsWith('<?')) return reply;
  const absolute = `<${addressOf(endpoint, event, baseUrl)}${link.slice(1)}`;
  return { ...reply, headers: { ...(reply.headers as object), link: absolute } };
}

// Errors are ignored, because unreadable settings may be the reason for the error response.
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Creates a `serve` function for a response format, which is created from the settings for each request. */
export const serveAs =
  <Replies extends Json | Empty | Page, Own extends Form>(
    formOf: (event: APIGatewayProxyEvent, settings: object) => Own,
  ) =>
  <const E extends Endpoint<Replies>, const Stores extends readonly Store[]>(
    endpoint: E,
    stores: Stores,
    handle: (request: RequestOf<E>, tools: ToolsOf<E, Stores>, form: Own) => Promise<ReplyOf<E>>,
  ): ApiHandler => {
    const tools = lazyTools(endpoint, stores);
    const formFor = (event: APIGatewayProxyEvent): Own => formOf(event, readable(() => tools().settings) ?? {});
    const respond = async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
      const request = readRequest(endpoint, event) as RequestOf<E>;
      const reply = await inTime(context, endpoint.operation, () => handle(request, tools(), formFor(event)));
      const { baseUrl } = tools().settings as { readonly baseUrl?: string };
      return writeReply(endpoint, absoluteLink(endpoint, reply, event, baseUrl), formFor(event));
    };
    return middy<APIGatewayProxyEvent, APIGatewayProxyResult>(writesMetrics)
      .use(respondToErrors<APIGatewayProxyResult>(endpoint, formFor))
      .handler(respond);
  };

/**
 * Creates the Lambda handler of an endpoint. `handle` receives the parsed request and returns a declared reply. A
 * thrown ClientError becomes an Error object in the response. Any other error is logged and returned as status 500.
 */
export const serve = serveAs<Json | Empty, Form>(() => asJson);

/** Creates middleware that converts errors to responses, and logs the caller, operation and status of each request. */
export function respondToErrors<Result extends { statusCode: number }>(
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
      const isClientError = error instanceof ClientError;
      const form = formFor(event);
      const response = isClientError
        ? writeClientError(error, form)
        : writeInternalError(event.requestContext.requestId, form);
      request.response = response;
      if (isClientError) logInfo('refused', { ...ids(event), status: response.statusCode, refusal: error.errorName });
      else logError(internalErrorLogged, error, { ...ids(event), status: 500 });
    },
  };
}
