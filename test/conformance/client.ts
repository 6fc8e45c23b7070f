import { Broken, hasFields, holds, same } from './sentence.ts';

export type Query = Readonly<Record<string, string | number | readonly string[]>>;

/** A request: text and bytes go as they are and unannounced, any other body as JSON. */
export interface Input {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The access token; null for none, left out for one with every scope. */
  readonly token?: string | null;
}

export interface Answer {
  /** Of the request: `GET /v1/topics`. */
  readonly what: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. @throws Broken when it is none */
  // biome-ignore lint/suspicious/noExplicitAny: it is what the checks look into
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

/** Sends one request and reads its answer; a redirect is an answer, too. */
export async function send(url: string, method: string, token: string | null, input: Input): Promise<Answer> {
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
        throw new Broken(`${what} answered ${response.status} with what is no JSON: ${text.slice(0, 100)}`);
      }
    },
  };
}

/** Its body, of a success. @throws Broken for another status, quoting it */
export function succeeded(answer: Answer, status = 200): Answer['json'] {
  holds(answer.status === status, `${answer.what} answered ${answer.status} ${answer.text.slice(0, 160)}`);
  if (status === 204) return same(`body of ${answer.what}`, answer.text, '');
  same(`Content-Type of ${answer.what}`, answer.headers.get('content-type'), 'application/json');
  return answer.json;
}

/** Its Error object. @throws Broken unless it is a refusal with this status and an Error object in application/json */
export function refused(answer: Answer, status: number): { readonly code: number; readonly message: string } {
  holds(
    answer.status === status,
    `${answer.what} answered ${answer.status} in place of ${status}: ${answer.text.slice(0, 120)}`,
  );
  same(`Content-Type of ${answer.what}`, answer.headers.get('content-type'), 'application/json');
  hasFields(`Error object of ${answer.what}`, answer.json, { code: 'number', message: 'string' });
  const { code, message } = answer.json;
  holds(Number.isInteger(code) && Math.abs(code) < 2 ** 31, `code ${code} is no 32-bit integer`);
  holds(message.trim() !== '', `the message of ${answer.what} is blank`);
  return answer.json;
}

/** @throws Broken unless the refusal says this, too: a caller must be able to mend what is wrong */
export function refusedNaming(answer: Answer, status: number, word: string): void {
  const { message } = refused(answer, status);
  holds(message.includes(word), `the message of ${answer.what} does not name ${word}: ${message}`);
}
