import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Empty, Json, Page, Reply } from '../contract/schemas.ts';
import { ClientError, clientErrors } from '../domain/client-errors.ts';
import { InternalError } from '../domain/internal-errors.ts';

// Responses contain personal data, so caches must not store them.
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
    asJson.writeClientError(new ClientError('unexpected', `unexpected error on our side; report request ${requestId}`)),
};

/** The return value of any handler. `serve` narrows the types to those of its endpoint. */
interface LooseReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: unknown;
}

// `null` prevents API Gateway from adding the content type application/json to empty responses.
const untyped = { 'content-type': null } as unknown as Readonly<Record<string, string>>;

/**
 * Returns the reply that the endpoint declares for a status, together with the parsed headers.
 * @throws InternalError if the status or a header is not declared
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

/** Serialises a return value with the schema for its status, so that the response contains only declared fields. */
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

/** Creates the response to a client error, with the status and code from the catalogue and the error's message. */
export const writeClientError = (refusal: ClientError, form: Form = asJson): APIGatewayProxyResult => ({
  statusCode: clientErrors[refusal.errorName].status,
  headers: {
    ...form.headers,
    ...(refusal.retryAfterSeconds === undefined ? {} : { 'retry-after': String(refusal.retryAfterSeconds) }),
  },
  body: form.writeClientError(refusal),
});

/** Creates the response to an internal error, with the request id that identifies the log line. */
export const writeInternalError = (requestId: string, form: Form = asJson): APIGatewayProxyResult => ({
  statusCode: clientErrors.unexpected.status,
  headers: { ...form.headers },
  body: form.writeInternalError(requestId),
});

export const ok = <Body>(body: Body): { readonly status: 200; readonly body: Body } => ({ status: 200, body });

export const noContent = { status: 204 } as const;

/** Returns status 202 with a body, for work that will be done later. */
export const accepted = <Body>(body: Body): { readonly status: 202; readonly body: Body } => ({ status: 202, body });
