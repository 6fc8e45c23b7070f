import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { StackListener } from '../../console/events.ts';
import { watchRequest } from '../../console/watch-request.ts';
import type { LocalFunction, Runtime } from '../functions/runtime.ts';
import type { OnChunk } from '../functions/sandbox-protocol.ts';
import { account, region } from '../template/identifiers.ts';
import type { Stack } from '../template/stack.ts';
import { readAuthorizers } from './authorizers.ts';
import { createResponseStream, writeFunctionResponse, writeMockResponse } from './function-response.ts';
import { type GatewayError, readGatewayResponses } from './gateway-responses.ts';
import { type ApiIdentity, buildProxyEvent, pathInStage, respondOutsideStage } from './proxy-event.ts';
import { createRouter, type RouteMatch, readPermissions, readRoutes } from './routes.ts';

const invalidEscape = /%(?![0-9a-f]{2})/i;

/**
 * Returns an error message for invalid percent encoding in a query (RFC 3986 section 2.1). AWS does not document how
 * API Gateway handles `100%`. If the emulator forwarded `100%` unchanged, a search for this value would match no
 * person.
 */
const invalidPercentSign = (query: string): string | undefined =>
  invalidEscape.test(query)
    ? 'the query contains a percent sign that is not followed by two hexadecimal digits. Write it as %25.'
    : undefined;

export interface Gateway {
  handle: RequestListener;
  finished(): Promise<unknown>;
}

const maxBodyBytes = 10_485_760;
const defaultTimeoutMilliseconds = 29_000;
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    // Reads a request body to the end even if it is too large, because a client that is still sending data would miss
    // the response.
    if (size <= maxBodyBytes) chunks.push(chunk as Buffer);
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks) : undefined;
}

function readApi(stack: Stack, domainName: string): ApiIdentity {
  const [api] = stack.ofType('AWS::ApiGateway::RestApi');
  const [stage] = stack.ofType('AWS::ApiGateway::Stage');
  if (!api || !stage) throw new Error('the template has no REST API with a stage to serve');
  return {
    apiId: stack.nameOf(api),
    stage: stack.nameOf(stage),
    stageVariables: stack.properties<{ Variables?: Record<string, string> }>(stage).Variables ?? null,
    binaryMediaTypes: stack.properties<{ BinaryMediaTypes?: string[] }>(api).BinaryMediaTypes ?? [],
    domainName,
  };
}

/** Returns API Gateway's error message if required parameters are missing. */
function missingParameters(required: string[], event: APIGatewayProxyEvent): string | undefined {
  const headers = new Set(Object.keys(event.headers).map((name) => name.toLowerCase()));
  const missing = required
    .map((parameter) => parameter.split('.').slice(2))
    .filter(([kind, name = '']) => {
      if (kind === 'header') return !headers.has(name.toLowerCase());
      return !(kind === 'path' ? event.pathParameters : event.queryStringParameters)?.[name];
    })
    .map(([, name]) => name);
  return missing.length > 0 ? `Missing required request parameters: [${missing.join(', ')}]` : undefined;
}

async function invokeInTime(
  target: LocalFunction,
  event: APIGatewayProxyEvent,
  milliseconds: number,
  onChunk?: OnChunk,
) {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    if (!target.isInspected) timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([target.invoke(event, onChunk), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Emulates the REST API of the template: routes, authorizers, integrations and gateway responses. */
export function createGateway(
  stack: Stack,
  runtime: Runtime,
  port: number,
  onEvent: StackListener,
  overrides: Readonly<Record<string, string>> = {},
): Gateway {
  const api = readApi(stack, `127.0.0.1:${port}`);
  const findRoute = createRouter(readRoutes(stack, runtime));
  const authorizers = readAuthorizers(stack, runtime);
  const mayInvoke = readPermissions(stack);
  const render = readGatewayResponses(stack, overrides);

  const sendError = (response: ServerResponse, error: GatewayError, context: Record<string, unknown>) => {
    const { status, headers, body } = render(error, context);
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
  };

  const serve = async (
    event: APIGatewayProxyEvent,
    { route }: RouteMatch,
    response: ServerResponse,
    context: Record<string, unknown>,
  ): Promise<GatewayError | undefined> => {
    const arn = `arn:aws:execute-api:${region}:${account}:${api.apiId}/${api.stage}/${event.httpMethod}${event.path}`;
    if (route.authorizerId !== undefined) {
      const authorizer = authorizers.get(route.authorizerId);
      if (!authorizer) return { type: 'AUTHORIZER_CONFIGURATION_ERROR' };
      const admission = await authorizer(event, arn);
      for (const [key, value] of Object.entries(admission.context)) context[`context.authorizer.${key}`] = value;
      if ('error' in admission) return admission.error;
      event.requestContext.authorizer = admission.context;
    }
    const missing = missingParameters(route.requiredParameters, event);
    if (missing) return { type: 'BAD_REQUEST_PARAMETERS', message: missing };
    if (!route.target) return writeMockResponse(response, route.integration);
    if (!mayInvoke('apigateway.amazonaws.com', route.target, arn)) return { type: 'API_CONFIGURATION_ERROR' };

    const limit = route.integration.TimeoutInMillis ?? defaultTimeoutMilliseconds;
    if (route.isStreaming) {
      const stream = createResponseStream(response);
      return stream.end(await invokeInTime(route.target, event, limit, stream.write));
    }
    const outcome = await invokeInTime(route.target, event, limit);
    if (!outcome) return { type: 'INTEGRATION_TIMEOUT' };
    if (outcome.failure) return { type: 'DEFAULT_5XX' };
    const accept = event.headers.Accept ?? event.headers.accept;
    const result = JSON.parse(outcome.payload) as APIGatewayProxyResult | null;
    return writeFunctionResponse(response, result, accept, api.binaryMediaTypes);
  };

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomUUID();
    response.setHeader('x-amzn-RequestId', requestId);
    const { method = 'GET', url = '/' } = request;
    const publicPath = url.split('?')[0] ?? '/';
    const path = pathInStage(publicPath, api.stage);
    const match = path === undefined ? undefined : findRoute(method, path);
    const displayPath = match && `/${api.stage}${match.route.resourcePath}`;
    watchRequest(response, { method, path: displayPath, requestId }, onEvent);
    if (path === undefined) return respondOutsideStage(request, response);
    const context: Record<string, unknown> = {
      'context.requestId': requestId,
      'context.extendedRequestId': requestId,
      'context.httpMethod': method,
      'context.path': publicPath,
      'context.stage': api.stage,
      'context.identity.sourceIp': request.socket.remoteAddress,
    };
    try {
      const body = await readBody(request);
      if (!match) return sendError(response, { type: 'MISSING_AUTHENTICATION_TOKEN' }, context);
      context['context.resourcePath'] = match.route.resourcePath;
      if (!body) return sendError(response, { type: 'REQUEST_TOO_LARGE' }, context);
      const invalid = invalidPercentSign(url.slice(publicPath.length));
      if (invalid !== undefined)
        return sendError(response, { type: 'BAD_REQUEST_PARAMETERS', message: invalid }, context);
      const event = buildProxyEvent(request, body, match, api, requestId);
      const error = await serve(event, match, response, context);
      if (error) sendError(response, error, context);
    } catch {
      // The client disconnected before sending the whole request.
      response.destroy();
    }
  };

  const open = new Set<Promise<void>>();
  return {
    handle(request, response) {
      const responding: Promise<void> = respond(request, response).finally(() => open.delete(responding));
      open.add(responding);
    },
    finished: () => Promise.all(open),
  };
}
