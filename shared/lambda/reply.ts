import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Empty, Json, Page, Reply } from '../contract/reply.ts';
import { Fault } from '../model/faults.ts';
import { type Refusal, refusals } from '../model/refusals.ts';

// Answers are about persons: no cache on the way may keep them.
export const house = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** The form of an answer's body: as JSON, or as a page for people. */
export interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly write: (body: unknown) => string;
  readonly writeRefusal: (refusal: Refusal) => string;
  readonly writeFault: (requestId: string) => string;
}

export const asJson: Form = {
  headers: { ...house, 'content-type': 'application/json' },
  write: JSON.stringify,
  writeRefusal: ({ refusal, message }) => JSON.stringify({ code: refusals[refusal].code, message }),
  writeFault: (requestId) =>
    JSON.stringify({
      code: refusals.unexpected.code,
      message: `unexpected error on our side; report request ${requestId}`,
    }),
};

/** What a handler answers, with the loose types of any endpoint; `serve` holds it to the endpoint's own. */
interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: unknown;
}

// Where a function names no type API Gateway says application/json, also of nothing; null is how one tells it not to.
const untyped = { 'content-type': null } as unknown as Readonly<Record<string, string>>;

/**
 * Finds what the endpoint declares of an answer, and reads its headers by that.
 * @throws for a status or a header that is not declared: it is our own fault
 */
export function declaredReply<Replies extends Reply>(endpoint: Endpoint<Replies>, { status, headers = {} }: Answer) {
  const declared = endpoint.replies[status];
  if (declared === undefined)
    throw new Fault('undeclaredStatus', { operation: endpoint.operation, answeredStatus: status });
  return { declared, headers: declared.headers.parse(headers) as Readonly<Record<string, string>> };
}

/** Writes a handler's answer through what its status declares, so that only declared fields leave. */
export function writeReply(
  endpoint: Endpoint<Json | Empty | Page>,
  answer: Answer,
  form: Form = asJson,
): APIGatewayProxyResult {
  const { declared, headers } = declaredReply(endpoint, answer);
  const statusCode = answer.status;
  if (declared.kind === 'empty') return { statusCode, headers: { ...house, ...headers, ...untyped }, body: '' };
  const body = form.write(declared.schema.parse(answer.body));
  return { statusCode, headers: { ...form.headers, ...headers }, body };
}

/** The answer to a refusal: its status and code from the catalogue, its message for the caller. */
export const writeRefusal = (refusal: Refusal, form: Form = asJson): APIGatewayProxyResult => ({
  statusCode: refusals[refusal.refusal].status,
  headers: {
    ...form.headers,
    ...(refusal.retryAfterSeconds === undefined ? {} : { 'retry-after': String(refusal.retryAfterSeconds) }),
  },
  body: form.writeRefusal(refusal),
});

/** The answer to our own fault; the request id finds it in our log. */
export const writeFault = (requestId: string, form: Form = asJson): APIGatewayProxyResult => ({
  statusCode: refusals.unexpected.status,
  headers: { ...form.headers },
  body: form.writeFault(requestId),
});

/** 200 with a body. */
export const ok = <Body>(body: Body): { readonly status: 200; readonly body: Body } => ({ status: 200, body });

/** 204: done, and nothing to say. */
export const noContent = { status: 204 } as const;

/** 202 with a body: it will be done. */
export const accepted = <Body>(body: Body): { readonly status: 202; readonly body: Body } => ({ status: 202, body });
