import { claimsOf } from '../../../operate/token-command.ts';

// The minimum remaining lifetime of a token that is used for a request. With less time left, the token could expire
// before the request arrives.
const earlyMs = 10_000;
const timeoutMs = 30_000;

interface Token {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

/**
 * Returns a function that returns a valid access token. The function reuses the current token unless the token is about
 * to expire or equals `rejected`.
 */
export function createTokens(issue: () => Promise<string>, now: () => number): (rejected?: string) => Promise<string> {
  let current: Promise<Token> | undefined;

  async function load(): Promise<Token> {
    const text = await issue();
    const { exp } = claimsOf(text);
    return { text, endsAt: typeof exp === 'number' ? exp * 1000 - earlyMs : Number.POSITIVE_INFINITY };
  }

  return async (rejected) => {
    const kept = current;
    const token = await kept?.catch(() => undefined);
    if (token !== undefined && token.text !== rejected && now() < token.endsAt) return token.text;
    // Several requests may have waited for the same token, so only the first request replaces the token.
    if (current === kept) current = load();
    return (await (current as Promise<Token>)).text;
  };
}

export interface RegistryApi {
  /** Sends a request to a path such as `/v1/topics`, and returns responses of any status. */
  readonly send: (method: string, path: string, body?: Uint8Array) => Promise<Response>;
  /** @throws ApiError unless the status is 200 */
  readonly get: <Result>(path: string) => Promise<Result>;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/**
 * Creates a client for a registry's public API. After a 401 response, the client repeats the request once with a new
 * token.
 */
export function createRegistryApi(baseUrl: string, tokenOf: (rejected?: string) => Promise<string>): RegistryApi {
  async function send(method: string, path: string, body?: Uint8Array): Promise<Response> {
    const request = (token: string) =>
      fetch(`${baseUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        // Does not follow redirects, because a redirect could send the token to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: Buffer.from(body) }),
      }).catch(({ message, cause }: Error) => {
        const { code = message } = (cause ?? {}) as { code?: string };
        throw new Error(`${baseUrl} does not respond: ${code}`);
      });
    const token = await tokenOf();
    const response = await request(token);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    return request(await tokenOf(token));
  }

  return {
    send,
    async get<Result>(path: string): Promise<Result> {
      const response = await send('GET', path);
      if (response.status === 200) return (await response.json()) as Result;
      const { message = '' } = (await response.json().catch(() => ({}))) as { message?: string };
      const [route] = path.split('?');
      throw new ApiError(`GET ${route} returned status ${response.status}: ${message}`, response.status);
    },
  };
}
