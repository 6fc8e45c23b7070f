import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Empty, Json, Page, Reply } from '../contract/reply-schemas.ts';
import { type ClientError, clientErrors } from '../domain/client-errors.ts';
import { InternalError } from '../domain/internal-errors.ts';

// Responses contain personal data, so no intermediate cache may store them.
export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** The format of a response body: JSON or a page. */
export interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly write: (body: unknown) => string;
  readonly writeClientError: (refusal: ClientError) => string;
  readonly writeInternalError: (requestId: string) => string;
}

export const asJson: Form = {
  headers: { ...commonHeaders, 'content-type': 'application/json' },
  write: JSON.stringify,
  writeClientError: ({ errorName: refusal, message }) => JSON.stringify({ code: clientErrors[refusal].code, message }),
  writeInternalError: (requestId) =>
    JSON.stringify({
      code: clientErrors.unexpected.code,
      message: `unexpected error on our side; report request ${requestId}`,
    }),
};

/** The return value of a handler, with the loose types of any endpoint. `serve` narrows it to the endpoint's types. */
interface LooseReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: unknown;
}

// API Gateway adds application/json to responses without a type, even to empty ones. Null prevents that.
const untyped = { 'content-type': null } as unknown as Readonly<Record<string, string>>;

/**
 * Returns the declared reply for a status, and the parsed headers.
 * @throws InternalError for an undeclared status, and for an undeclared header
 */
export function declaredReply<Replies extends Reply>(
  endpoint: Endpoint<Replies>,
  { status, headers = {} }: LooseReply,
) {
  const declared = endpoint.replies[status];
  if (declared === undefined)
    throw new InternalError('undeclaredStatus', { operation: endpoint.operation, answeredStatus: status });
  return { declared, headers: declared.headers.parse(headers) as Readonly<Record<string, string>> };
}

/** Writes a handler's return value with the schema of its status, so that only declared fields are sent. */
export function writeReply(
  endpoint: Endpoint<Json | Empty | Page>,
  reply: LooseReply,
  form: Form = asJson,
): APIGatewayProxyResult {
  const { declared, headers } = declaredReply(endpoint, reply);
  const statusCode = reply.status;
  if (declared.kind === 'empty') return { statusCode, headers: { ...commonHeaders, ...headers, ...untyped }, body: '' };
  const body = form.write(declared.schema.parse(reply.body));
  return { statusCode, headers: { ...form.headers, ...headers }, body };
}

/** Writes the response to a client error: status and code from the catalogue, and the error's message. */
export const writeClientError = (refusal: ClientError, form: Form = asJson): APIGatewayProxyResult => ({
  statusCode: clientErrors[refusal.errorName].status,
  headers: {
    ...form.headers,
    ...(refusal.retryAfterSeconds === undefined ? {} : { 'retry-after': String(refusal.retryAfterSeconds) }),
  },
  body: form.writeClientError(refusal),
});

/** Writes the response to an internal error. Its request id identifies the log line. */
export const writeInternalError = (requestId: string, form: Form = asJson): APIGatewayProxyResult => ({
  statusCode: clientErrors.unexpected.status,
  headers: { ...form.headers },
  body: form.writeInternalError(requestId),
});

/** Returns status 200 with a body. */
export const ok = <Body>(body: Body): { readonly status: 200; readonly body: Body } => ({ status: 200, body });

/** Status 204 without a body. */
export const noContent = { status: 204 } as const;

/** Returns status 202 with a body, for work that is done later. */
export const accepted = <Body>(body: Body): { readonly status: 202; readonly body: Body } => ({ status: 202, body });
