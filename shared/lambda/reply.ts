import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Endpoint } from '../contract/endpoint.ts';
import type { ErrorObject } from '../model/error.ts';
import { type Refusal, refusals } from '../model/refusals.ts';
import { faultPage, refusalPage } from '../pages/page.ts';
import { styleSource } from '../pages/style.ts';

// Answers are about persons: no cache on the way may keep them.
export const house = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
const json = { ...house, 'content-type': 'application/json' } as const;

// A page runs nothing and loads nothing: what it needs is in it.
const page = {
  ...house,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${styleSource}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  // Its address carries a token: it goes to no other site and into no index.
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const;

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Writes a handler's reply through the schema of its status, so that only declared fields leave. */
export function writeReply(endpoint: Endpoint, reply: Reply): APIGatewayProxyResult {
  const schema = endpoint.replies[reply.status];
  if (schema === undefined) throw new Error(`${endpoint.operation} does not declare status ${reply.status}`);
  if (schema === null) return { statusCode: reply.status, headers: { ...house, ...reply.headers }, body: '' };
  const body = schema.parse(reply.body);
  return {
    statusCode: reply.status,
    headers: { ...(endpoint.isPage ? page : json), ...reply.headers },
    body: endpoint.isPage ? String(body) : JSON.stringify(body),
  };
}

const errorReply = (statusCode: number, body: ErrorObject): APIGatewayProxyResult => ({
  statusCode,
  headers: json,
  body: JSON.stringify(body),
});

const pageReply = (statusCode: number, body: string): APIGatewayProxyResult => ({ statusCode, headers: page, body });

type Style = Pick<Endpoint, 'isPage'>;

/** The answer to a refusal: its status and code from the catalogue, its message for the caller; a page says it in a page. */
export const writeRefusal = (refusal: Refusal, { isPage }: Style = {}): APIGatewayProxyResult => {
  const { code, status } = refusals[refusal.refusal];
  if (isPage) return pageReply(status, refusalPage(refusal));
  return errorReply(status, { code, message: refusal.message });
};

/** The answer to our own fault; the request id finds it in our log. */
export const writeFault = (requestId: string, { isPage }: Style = {}): APIGatewayProxyResult => {
  const { code, status } = refusals.unexpected;
  if (isPage) return pageReply(status, faultPage(requestId));
  return errorReply(status, { code, message: `unexpected error on our side; report request ${requestId}` });
};

/** 200 with a body. */
export const ok = <Body>(body: Body): { readonly status: 200; readonly body: Body } => ({ status: 200, body });

/** 204: done, and nothing to say. */
export const noContent = { status: 204 } as const;
