class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Returns true if the error is a 404 response, for example because a topic has been deleted. */
export const isNotFound = (error: unknown): boolean => error instanceof ResponseError && error.status === 404;

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => ({}))) as { message?: unknown };
  return typeof body.message === 'string' ? body.message : `status ${response.status}`;
}

/** Calls the console's own server. @throws ResponseError unless the status is 2xx */
export async function requestConsole<Result>(method: string, path: string, body?: unknown): Promise<Result> {
  const response = await fetch(`/console/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new ResponseError(await messageOf(response), response.status);
  return (await response.json()) as Result;
}

/** Calls the public API through the console's server. @throws ResponseError unless the status is 2xx */
export const requestApi = <Result>(method: string, path: string, body?: unknown): Promise<Result> =>
  requestConsole<Result>(method, `api${path}`, body);

/** Gets a new access token with all scopes from the local stack's issuer. */
export const newToken = async (): Promise<string> =>
  (await requestConsole<{ readonly token: string }>('POST', 'token')).token;
