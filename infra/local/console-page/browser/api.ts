let token: Promise<string> | undefined;

async function makeToken(): Promise<string> {
  const response = await fetch('/console/token', { method: 'POST' });
  if (!response.ok) throw new Error(`the issuer answered ${response.status}`);
  return ((await response.json()) as { token: string }).token;
}

/** A new access token with every scope, made by the issuer of this machine. */
export const newToken = makeToken;

/** The API or the console has refused: in its own words, with its status. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Whether what was asked about is no more: a topic that was deleted takes its subscriptions along. */
export const isGone = (error: unknown): boolean => error instanceof Refused && error.status === 404;

/** What a refusal says, or how it was answered. */
async function reasonOf(response: Response): Promise<string> {
  const said = (await response.json().catch(() => ({}))) as { message?: unknown };
  return typeof said.message === 'string' ? said.message : `answered ${response.status}`;
}

async function send(method: string, path: string): Promise<Response> {
  token ??= makeToken();
  // Tried again the next time.
  const bearer = await token.catch((error: unknown) => {
    token = undefined;
    throw error;
  });
  return fetch(path, { method, headers: { authorization: `Bearer ${bearer}` } });
}

/** Asks the API as any client does. @throws Refused */
export async function askApi<Answer>(method: 'GET' | 'POST', path: string): Promise<Answer> {
  let response = await send(method, path);
  if (response.status === 401) {
    // It has expired.
    token = undefined;
    response = await send(method, path);
  }
  if (!response.ok) throw new Refused(await reasonOf(response), response.status);
  return (await response.json()) as Answer;
}

/** Asks the console's own server. @throws Refused */
export async function askConsole<Answer>(method: 'GET' | 'POST', path: string): Promise<Answer> {
  const response = await fetch(`/console/${path}`, { method });
  if (!response.ok) throw new Refused(await reasonOf(response), response.status);
  return (await response.json()) as Answer;
}
