import type { ServerResponse } from 'node:http';
import type { StackEvent, StackListener } from './events.ts';

type Described = Pick<Extract<StackEvent, { kind: 'request' }>, 'method' | 'path' | 'requestId'>;

/** Returns the code if a response body is an Error object, and undefined otherwise. */
function codeOf(body: string): number | undefined {
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return typeof code === 'number' ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Emits a request event when the response is complete or the caller has disconnected. */
export function watchRequest(response: ServerResponse, described: Described, onEvent: StackListener): void {
  const since = performance.now();
  let error = '';
  for (const method of ['write', 'end'] as const) {
    const pass = response[method].bind(response) as (...values: unknown[]) => never;
    response[method] = (...values: unknown[]) => {
      const [chunk] = values;
      // An Error object is short, so a single chunk contains the whole object.
      if (response.statusCode >= 400 && (typeof chunk === 'string' || chunk instanceof Uint8Array)) {
        error = Buffer.from(chunk as Uint8Array).toString('utf8');
      }
      return pass(...values);
    };
  }
  response.once('close', () => {
    const code = codeOf(error);
    onEvent({
      kind: 'request',
      ...described,
      status: response.headersSent ? response.statusCode : undefined,
      milliseconds: Math.round(performance.now() - since),
      ...(code !== undefined && { code }),
    });
  });
}
