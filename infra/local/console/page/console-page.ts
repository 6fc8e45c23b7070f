import type { IncomingMessage, ServerResponse } from 'node:http';
import { redeliver } from '../../../../shared/contract/jobs.ts';
import { scopes } from '../../../../shared/contract/scopes.ts';
import { isNavigation, isSameOrigin } from '../../guard.ts';
import { assets, pages } from './assets.ts';
import { createReadState, type Sources, tableOf } from './reading/read-state.ts';
import { readRecipients } from './reading/subscriptions.ts';
import { createStateStream } from './state-stream.ts';

interface ConsolePage {
  has(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  stop(): void;
}

interface ConsoleOptions extends Sources {
  readonly port: number;
  readonly issueToken: (claims: Record<string, unknown>) => Promise<string>;
  readonly invoke: (constructId: string, event: unknown) => Promise<unknown>;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The style sheet of Swagger UI contains images as data URLs.
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

const redeliverPeriodMs = 86_400_000;

/**
 * Creates the console for browsers. While a page is open, the console reads data from the emulators through their AWS
 * APIs, like an operator.
 */
export function createConsolePage(options: ConsoleOptions): ConsolePage {
  const { port, dynamodb, outputs, issueToken, invoke } = options;
  const own = `127.0.0.1:${port}`;
  const stream = createStateStream(createReadState(options));

  const json = (response: ServerResponse, value: unknown, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  const redirect = (response: ServerResponse, location: string): void => {
    response.writeHead(302, { location }).end();
  };

  const routes: Readonly<Record<string, (url: URL, response: ServerResponse) => unknown>> = {
    'GET /console/live': (_url, response) => stream.connect(response),
    'GET /console/inbox': (_url, response) => redirect(response, outputs().inboxUrl),
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
      const since = new Date(Date.now() - redeliverPeriodMs).toISOString();
      const input = redeliver.input.safeParse(messageId === null ? { since } : { messageId });
      if (!input.success) return json(response, { message: 'message must be a message id' }, 400);
      json(response, await invoke(redeliver.job, input.data));
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method: requestMethod = 'GET', url: target = '/' } = request;
    const method = requestMethod === 'HEAD' ? 'GET' : requestMethod;
    const url = new URL(`http://${own}${target}`);
    const asset = assets[url.pathname];
    if (asset !== undefined && method === 'GET') {
      const content = await asset.read();
      response.writeHead(200, { 'content-type': `${asset.type}; charset=utf-8` });
      response.end(requestMethod === 'HEAD' ? undefined : content);
      return;
    }
    const route = routes[`${method} ${url.pathname}`];
    if (route === undefined) json(response, { message: 'the console has no such page' }, 404);
    else await route(url, response);
  }

  return {
    has: (path) => path === '/' || path.startsWith('/console/'),
    handle(request, response) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      // Discards request bodies, because no route needs one.
      request.resume();
      const path = request.url?.split('?')[0] ?? '/';
      const isPage = pages.includes(path);
      // Redirects `localhost` to the host name in `own`, which tokens and pages require.
      if (isPage && request.headers.host === `localhost:${port}`) return redirect(response, `http://${own}${path}`);
      if (!isSameOrigin(request.headers, own) && !(isPage && isNavigation(request.headers, own))) {
        return json(response, { message: `only pages of http://${own} may access the console` }, 403);
      }
      respond(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else json(response, { message: String(error) }, 500);
      });
    },
    stop: () => stream.stop(),
  };
}
