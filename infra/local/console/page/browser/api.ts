let token: Promise<string> | undefined;

/** Returns a new access token with every scope from the local stack's issuer. */
export async function newToken(): Promise<string> {
  const response = await fetch('/console/token', { method: 'POST' });
  if (!response.ok) throw new Error(`the issuer responded with status ${response.status}`);
  return ((await response.json()) as { token: string }).token;
}

class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Whether the error is a 404, for example for the subscriptions of a deleted topic. */
export const isNotFound = (error: unknown): boolean => error instanceof ResponseError && error.status === 404;

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => ({}))) as { message?: unknown };
  return typeof body.message === 'string' ? body.message : `status ${response.status}`;
}

async function send(method: string, path: string): Promise<Response> {
  token ??= newToken();
  // If no token could be fetched, the next request tries again.
  const bearer = await token.catch((error: unknown) => {
    token = undefined;
    throw error;
  });
  return fetch(path, { method, headers: { authorization: `Bearer ${bearer}` } });
}

/** Calls the public API. @throws ResponseError unless the status is 2xx */
export async function requestApi<Result>(method: 'GET' | 'POST', path: string): Promise<Result> {
  let response = await send(method, path);
  if (response.status === 401) {
    // The token has expired.
    token = undefined;
    response = await send(method, path);
  }
  if (!response.ok) throw new ResponseError(await messageOf(response), response.status);
  return (await response.json()) as Result;
}

/** Calls the console's own server. @throws ResponseError unless the status is 2xx */
export async function requestConsole<Result>(method: 'GET' | 'POST', path: string): Promise<Result> {
  const response = await fetch(`/console/${path}`, { method });
  if (!response.ok) throw new ResponseError(await messageOf(response), response.status);
  return (await response.json()) as Result;
}
