import { ensure, equal, hasFields, Violation } from './requirement.ts';

export type Query = Readonly<Record<string, string | number | readonly string[]>>;

/** A request. Text and bytes are sent unchanged and without a Content-Type; any other body is sent as JSON. */
export interface Input {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The access token, or `null` to send no token. The default token has every scope. */
  readonly token?: string | null;
}

export interface ApiResponse {
  /** The method and path of the request, such as `GET /v1/topics`. */
  readonly what: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, parsed as JSON. @throws Violation if the body is not JSON */
  // biome-ignore lint/suspicious/noExplicitAny: the checks read arbitrary fields of the body
  readonly json: any;
}

const queryOf = (query: Query): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
};

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

/** Sends one request and reads the response. Does not follow redirects. */
export async function send(url: string, method: string, token: string | null, input: Input): Promise<ApiResponse> {
  const { query = {}, body, headers = {} } = input;
  const response = await fetch(url + queryOf(query), {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(35_000),
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !isRaw(body) && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw(body) ? new Blob([body]) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const what = `${method} ${new URL(url).pathname}`;
  return {
    what,
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      try {
        return JSON.parse(text);
      } catch {
        throw new Violation(`${what} returned ${response.status} without a JSON body: ${text.slice(0, 100)}`);
      }
    },
  };
}

/** Returns the body of a successful response. @throws Violation for any other status */
export function expectSuccess(response: ApiResponse, status = 200): ApiResponse['json'] {
  ensure(response.status === status, `${response.what} returned ${response.status} ${response.text.slice(0, 160)}`);
  if (status === 204) return equal(`body of ${response.what}`, response.text, '');
  equal(`Content-Type of ${response.what}`, response.headers.get('content-type'), 'application/json');
  return response.json;
}

/**
 * Returns the Error object of a response. @throws Violation if the status differs, or if the body is not an Error
 * object in JSON
 */
export function expectError(
  response: ApiResponse,
  status: number,
): { readonly code: number; readonly message: string } {
  ensure(
    response.status === status,
    `${response.what} returned ${response.status} instead of ${status}: ${response.text.slice(0, 120)}`,
  );
  equal(`Content-Type of ${response.what}`, response.headers.get('content-type'), 'application/json');
  hasFields(`Error object of ${response.what}`, response.json, { code: 'number', message: 'string' });
  const { code, message } = response.json;
  ensure(Number.isInteger(code) && Math.abs(code) < 2 ** 31, `code ${code} is not a 32-bit integer`);
  ensure(message.trim() !== '', `the message of ${response.what} is blank`);
  return response.json;
}

/** @throws Violation unless the error message contains the word that names what the caller must correct */
export function expectErrorNaming(response: ApiResponse, status: number, word: string): void {
  const { message } = expectError(response, status);
  ensure(message.includes(word), `the message of ${response.what} does not name ${word}: ${message}`);
}
