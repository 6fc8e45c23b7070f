import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { account } from '../template/identifiers.ts';
import type { RouteMatch } from './routes.ts';

/** Returns the part of the path that follows the stage and selects the route; undefined for paths outside the stage. */
export function pathInStage(publicPath: string, stage: string): string | undefined {
  const mount = `/${stage}`;
  if (publicPath === mount) return '/';
  return publicPath.startsWith(`${mount}/`) ? publicPath.slice(mount.length) : undefined;
}

/** Responds to a request outside the stage, for which API Gateway does not use the template's gateway responses. */
export function respondOutsideStage(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ message: 'Forbidden' });
  response.writeHead(403, {
    'Content-Type': 'application/json',
    'x-amzn-ErrorType': 'ForbiddenException',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

export interface ApiIdentity {
  apiId: string;
  stage: string;
  stageVariables: Record<string, string> | null;
  binaryMediaTypes: string[];
  domainName: string;
}

/** Returns all values of each header. The keys are the header names in their original case. */
function headerValues(rawHeaders: string[]): Record<string, string[]> {
  // The object has no prototype, so that a header may be named `__proto__`.
  const values: Record<string, string[]> = Object.create(null);
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const list = values[name] ?? [];
    list.push(rawHeaders[index + 1] ?? '');
    values[name] = list;
  }
  return values;
}

const lastOf = (values: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.at(-1) ?? '']));

const orNull = <T extends object>(value: T): T | null => (Object.keys(value).length > 0 ? value : null);

export function matchesMediaType(types: string[], contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return types.some(
    (candidate) => candidate === '*/*' || candidate.toLowerCase() === type || candidate === `${type.split('/')[0]}/*`,
  );
}

/** Formats a time as API Gateway does: 20/Nov/2026:23:11:01 +0000. */
function requestTime(now: Date): string {
  const [, day, month, year, time] = now.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

/** Builds the event of a Lambda proxy integration, with an encoded path and a decoded query. */
export function buildProxyEvent(
  request: IncomingMessage,
  body: Buffer,
  match: RouteMatch,
  api: ApiIdentity,
  requestId: string,
): APIGatewayProxyEvent {
  const { method = 'GET', url = '/', rawHeaders, socket, headers } = request;
  const questionMark = url.indexOf('?');
  const publicPath = questionMark < 0 ? url : url.slice(0, questionMark);
  const search = new URLSearchParams(questionMark < 0 ? '' : url.slice(questionMark + 1));
  const query: Record<string, string[]> = Object.create(null);
  for (const name of new Set(search.keys())) query[name] = search.getAll(name);

  const forwarded = {
    'X-Amzn-Trace-Id': [`Root=1-${randomUUID()}`],
    'X-Forwarded-For': [socket.remoteAddress ?? '127.0.0.1'],
    'X-Forwarded-Port': [api.domainName.split(':')[1] ?? '80'],
    'X-Forwarded-Proto': ['http'],
  };
  const multiValueHeaders = { ...headerValues(rawHeaders), ...forwarded };
  const isBase64Encoded = body.length > 0 && matchesMediaType(api.binaryMediaTypes, headers['content-type']);
  const now = new Date();
  const { route, pathParameters } = match;

  return {
    resource: route.resourcePath,
    path: pathInStage(publicPath, api.stage) ?? publicPath,
    httpMethod: method,
    headers: lastOf(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: orNull(lastOf(query)),
    multiValueQueryStringParameters: orNull(query),
    pathParameters: orNull(pathParameters),
    stageVariables: api.stageVariables,
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
    requestContext: {
      accountId: account,
      apiId: api.apiId,
      authorizer: undefined,
      domainName: api.domainName,
      domainPrefix: api.domainName.split('.')[0] ?? '',
      extendedRequestId: requestId,
      httpMethod: method,
      identity: {
        sourceIp: socket.remoteAddress ?? '127.0.0.1',
        userAgent: headers['user-agent'] ?? null,
      } as APIGatewayProxyEvent['requestContext']['identity'],
      path: publicPath,
      protocol: `HTTP/${request.httpVersion}`,
      requestId,
      requestTime: requestTime(now),
      requestTimeEpoch: now.getTime(),
      resourceId: route.resourcePath,
      resourcePath: route.resourcePath,
      stage: api.stage,
    },
  };
}
