import type { IncomingMessage, ServerResponse } from 'node:http';
import { redeliver } from '../../../../shared/contract/jobs.ts';
import { scopes } from '../../../../shared/contract/scopes.ts';
import { createLive } from '../../console-page/live.ts';
import { isOwnPage, isVisit } from '../../console-page/own-page.ts';
import { createReadState, type Sources, tableOf } from '../../console-page/reading/read-state.ts';
import { assets, pages } from './assets.ts';
import { readRecipients } from './reading/subscriptions.ts';

export interface ConsolePage {
  /** Whether a path is the page's, and not the API's. */
  has(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  stop(): void;
}

interface ConsoleGround extends Sources {
  readonly port: number;
  readonly issueToken: (claims: Record<string, unknown>) => Promise<string>;
  /** Calls a function by its construct id. */
  readonly invoke: (constructId: string, event: unknown) => Promise<unknown>;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The pictures in the style sheet of the reference are data.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const failedWithinMs = 86_400_000;

/** The console in the browser: it looks into the emulators as an operator looks into AWS, for as long as somebody watches. */
export function createConsolePage(ground: ConsoleGround): ConsolePage {
  const { port, dynamodb, outputs, issueToken, invoke } = ground;
  const own = `127.0.0.1:${port}`;
  const live = createLive(createReadState(ground));

  const json = (response: ServerResponse, value: unknown, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  const leadTo = (response: ServerResponse, location: string): void => {
    response.writeHead(302, { location }).end();
  };

  const answers: Readonly<Record<string, (url: URL, response: ServerResponse) => unknown>> = {
    'GET /console/live': (_url, response) => live.watch(response),
    'GET /console/inbox': (_url, response) => leadTo(response, outputs().inboxUrl),
    async 'GET /console/recipients'({ searchParams }, response) {
      const page = await readRecipients(dynamodb, tableOf(outputs(), 'subscriptions'), {
        topicUuid: searchParams.get('topic') ?? '',
        generation: searchParams.get('generation') ?? '',
        after: searchParams.get('after') ?? undefined,
      });
      json(response, page);
    },
    async 'POST /console/token'(_url, response) {
      json(response, { token: await issueToken({ scope: Object.keys(scopes).join(' ') }) });
    },
    async 'POST /console/redeliver'({ searchParams }, response) {
      const messageId = searchParams.get('message');
      const since = new Date(Date.now() - failedWithinMs).toISOString();
      const choice = redeliver.input.safeParse(messageId === null ? { since } : { messageId });
      if (!choice.success) return json(response, { message: 'message must be the id of a message' }, 400);
      json(response, await invoke(redeliver.job, choice.data));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method: asked = 'GET', url: target = '/' } = request;
    const method = asked === 'HEAD' ? 'GET' : asked;
    const url = new URL(`http://${own}${target}`);
    const asset = assets[url.pathname];
    if (asset !== undefined && method === 'GET') {
      const content = await asset.read();
      response.writeHead(200, { 'content-type': `${asset.type}; charset=utf-8` });
      response.end(asked === 'HEAD' ? undefined : content);
      return;
    }
    const known = answers[`${method} ${url.pathname}`];
    if (known === undefined) json(response, { message: 'the console has no such page' }, 404);
    else await known(url, response);
  }

  return {
    has: (path) => path === '/' || path.startsWith('/console/'),
    handle(request, response) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      // Nobody sends a body that is read.
      request.resume();
      const path = request.url?.split('?')[0] ?? '/';
      const isPage = pages.includes(path);
      // Another name of this machine leads to the one that pages and tokens are for.
      if (isPage && request.headers.host === `localhost:${port}`) return leadTo(response, `http://${own}${path}`);
      if (!isOwnPage(request.headers, own) && !(isPage && isVisit(request.headers, own))) {
        return json(response, { message: `only http://${own} itself is answered` }, 403);
      }
      answer(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else json(response, { message: String(error) }, 500);
      });
    },
    stop: () => live.stop(),
  };
}
