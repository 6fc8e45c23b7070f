import { type Success, urlOf } from '../../infra/local/demo/client.ts';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { clientErrorsOf } from '../../shared/contract/openapi/responses.ts';
import { clientErrors } from '../../shared/domain/client-errors.ts';
import { errorObject } from '../../shared/domain/error.ts';

type Names<P> = P extends Readonly<Record<string, unknown>> ? { readonly [Name in keyof P]: string } : undefined;

/** A request to an endpoint. Only path parameter names are typed, so tests can send invalid parameters and bodies. */
export interface Input<E extends Endpoint = Endpoint> {
  readonly path?: Names<E['request']['path']>;
  /** An array is sent as a repeated parameter. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text or binary body is sent unchanged and without a Content-Type. Any other body is sent as JSON. */
  readonly body?: unknown;
  /** With the token `null`, the request has no Authorization header. By default, the client's token is sent. */
  readonly token?: string | null;
}

export interface ApiResponse<Json = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /**
   * The body of a successful response, typed according to the contract.
   * @throws an error that quotes the response if the request failed
   */
  readonly json: Json;
  /**
   * The Error object from an error response.
   * @throws if the response is successful
   */
  readonly error: ReturnType<typeof errorObject.parse>;
}

export type Call = <E extends Endpoint>(endpoint: E, input?: Input<E>) => Promise<ApiResponse<Success<E>>>;

function bodyOf(body: unknown): { bytes?: Uint8Array<ArrayBuffer>; contentType?: string } {
  if (body === undefined) return {};
  if (typeof body === 'string' || body instanceof Uint8Array) return { bytes: new Uint8Array(Buffer.from(body)) };
  return { bytes: new Uint8Array(Buffer.from(JSON.stringify(body))), contentType: 'application/json' };
}

/** Reads a response and checks that its body is JSON. The body of a failed request must be an Error object. */
export async function readResponse<Json>(response: Response, what: string): Promise<ApiResponse<Json>> {
  const text = await response.text();
  const says = `${what} returned ${response.status} ${text}`;
  const isJson = response.headers.get('content-type') === 'application/json';
  if (text !== '' && !isJson) throw new Error(`${says}, without the Content-Type application/json`);
  const parsed: unknown = text === '' ? undefined : JSON.parse(text);
  const refusal = response.ok ? undefined : errorObject.parse(parsed);
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      if (!response.ok) throw new Error(says);
      return parsed as Json;
    },
    get error() {
      if (refusal === undefined) throw new Error(`${says}, which is not an error`);
      return refusal;
    },
  };
}

// A path with too few segments matches no operation. The gateway then returns an error that no operation declares.
const isDeclared = (endpoint: Endpoint, code: number): boolean =>
  code === clientErrors.unknownRoute.code || clientErrorsOf(endpoint).some((name) => clientErrors[name].code === code);

/** Creates an API client that sends the given token by default. */
export const createCall =
  (baseUrl: string, usualToken: string): Call =>
  async (endpoint, input = {}) => {
    const { bytes, contentType } = bodyOf(input.body);
    const token = input.token === undefined ? usualToken : input.token;
    const response = await fetch(urlOf(baseUrl, endpoint, input as Input), {
      method: endpoint.method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...input.headers,
      },
      ...(bytes === undefined ? {} : { body: bytes }),
    });
    const answer = await readResponse<never>(response, endpoint.operation);
    if (!response.ok) {
      const { code } = answer.error;
      if (isDeclared(endpoint, code)) return answer;
      throw new Error(`${endpoint.operation} does not declare the error ${code}`);
    }
    const declared = endpoint.replies[response.status];
    if (declared === undefined) throw new Error(`${endpoint.operation} does not declare status ${response.status}`);
    if (declared.kind === 'json') declared.schema.parse(answer.json);
    else if (answer.text !== '') throw new Error(`${endpoint.operation} returned a body with ${response.status}`);
    return answer;
  };
