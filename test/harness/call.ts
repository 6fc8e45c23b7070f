import { type Success, urlOf } from '../../infra/local/demo/client.ts';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { refusalsOf } from '../../shared/contract/refusals-of.ts';
import { type ErrorObject, errorObject } from '../../shared/domain/error.ts';
import { refusals } from '../../shared/model/refusals.ts';

type Names<P> = P extends Readonly<Record<string, unknown>> ? { readonly [Name in keyof P]: string } : undefined;

/** A request to an endpoint: its path parameters by name; everything else may be as wrong as a test needs. */
export interface Input<E extends Endpoint = Endpoint> {
  readonly path?: Names<E['request']['path']>;
  /** An array is sent as that parameter repeated. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes go as they are, without a Content-Type; anything else as JSON with one. */
  readonly body?: unknown;
  /** Null: no Authorization header. Left out: the token of the caller. */
  readonly token?: string | null;
}

export interface Answer<Json = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body of a success, as the contract declares it. @throws for any other answer, quoting it */
  readonly json: Json;
  /** The Error object of a refusal. @throws for a success */
  readonly error: ErrorObject;
}

export type Call = <E extends Endpoint>(endpoint: E, input?: Input<E>) => Promise<Answer<Success<E>>>;

function bodyOf(body: unknown): { bytes?: Uint8Array<ArrayBuffer>; contentType?: string } {
  if (body === undefined) return {};
  if (typeof body === 'string' || body instanceof Uint8Array) return { bytes: new Uint8Array(Buffer.from(body)) };
  return { bytes: new Uint8Array(Buffer.from(JSON.stringify(body))), contentType: 'application/json' };
}

/** Reads an answer, and holds it to what every answer must be: JSON when it has a body, an Error object when it refuses. */
export async function readAnswer<Json>(response: Response, what: string): Promise<Answer<Json>> {
  const text = await response.text();
  const says = `${what} answered ${response.status} ${text}`;
  const isJson = response.headers.get('content-type') === 'application/json';
  if (text !== '' && !isJson) throw new Error(`${says}, which is not announced as application/json`);
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
      if (refusal === undefined) throw new Error(`${says}, which is no refusal`);
      return refusal;
    },
  };
}

// Of a path with too few segments the gateway knows no operation.
const isDeclared = (endpoint: Endpoint, code: number): boolean =>
  code === refusals.unknownRoute.code || refusalsOf(endpoint).some((name) => refusals[name].code === code);

/** Makes a client of the API that sends this token unless a request says otherwise. */
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
    const answer = await readAnswer<never>(response, endpoint.operation);
    if (!response.ok) {
      const { code } = answer.error;
      if (isDeclared(endpoint, code)) return answer;
      throw new Error(`${endpoint.operation} does not declare the refusal ${code}`);
    }
    const declared = endpoint.replies[response.status];
    if (declared === undefined) throw new Error(`${endpoint.operation} does not declare status ${response.status}`);
    if (declared.kind === 'json') declared.schema.parse(answer.json);
    else if (answer.text !== '') throw new Error(`${endpoint.operation} answered a body with ${response.status}`);
    return answer;
  };
