import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type RedeliveryChoice,
  readJournal as readJournalJob,
  redeliver as redeliverJob,
} from '../../../../shared/contract/jobs.ts';
import type { Receiver } from '../../../../shared/receiver/receive.ts';
import { isNavigation, isSameOrigin } from '../../guard.ts';
import { assets, pages, referenceAssets } from './assets.ts';
import type { Operator } from './operator/operator.ts';
import type { RegistryApi } from './registry-api.ts';
import { apiPrefix, isShown } from './shown-operations.ts';
import type { About, ConsoleState, Source } from './state.ts';
import { createStateStream } from './state-stream.ts';

export interface ConsolePage {
  has(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  stop(): void;
}

/** The tools that only the console of a local stack has. */
interface Tools {
  readonly inboxUrl: () => string;
  readonly issueToken: () => Promise<string>;
  readonly redeliver: (choice: RedeliveryChoice) => Promise<unknown>;
}

interface ConsoleOptions {
  readonly port: number;
  readonly source: Source;
  readonly api: RegistryApi;
  readonly about: Omit<About, 'hasTools'>;
  readonly operator?: Operator | undefined;
  readonly receiver?: Receiver | undefined;
  readonly tools?: Tools;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Allows data URLs, because the style sheet of Swagger UI contains images.
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

// The largest body that the API accepts is an event of 256 KiB.
const maxBodyBytes = 300_000;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > maxBodyBytes) throw new Error(`the request has more than ${maxBodyBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

type Route = (request: IncomingMessage, response: ServerResponse, url: URL) => unknown;

const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(302, { location }).end();
};

/** The routes of the tools that only a local stack has. */
const toolRoutes = ({ inboxUrl, issueToken, redeliver }: Tools): Readonly<Record<string, Route>> => ({
  'GET /console/inbox': (_request, response) => redirect(response, inboxUrl()),
  async 'POST /console/token'(_request, response) {
    json(response, { token: await issueToken() });
  },
  async 'POST /console/redeliver'(_request, response, { searchParams }) {
    const messageId = searchParams.get('message');
    const since = new Date(Date.now() - redeliverPeriodMs).toISOString();
    const input = redeliverJob.input.safeParse(messageId === null ? { since } : { messageId });
    if (!input.success) return json(response, { message: 'message must be a message id' }, 400);
    json(response, await redeliver(input.data));
  },
});

const operatorRoutes = ({ readJournal }: Operator): Readonly<Record<string, Route>> => ({
  // The request body contains the UIN, because URLs are logged more often than bodies.
  async 'POST /console/journal'(request, response) {
    const input = readJournalJob.input.safeParse(JSON.parse((await bodyOf(request)).toString()));
    if (!input.success) return json(response, { message: 'uin must be the UIN of a person' }, 400);
    json(response, await readJournal(input.data));
  },
});

/** Creates the console for browsers. The console reads data only while at least one page is open. */
export function createConsolePage({
  port,
  source,
  api,
  about,
  operator,
  receiver,
  tools,
}: ConsoleOptions): ConsolePage {
  const own = `127.0.0.1:${port}`;
  const files = { ...assets, ...(tools && referenceAssets) };
  const stream = createStateStream(async (): Promise<ConsoleState> => {
    // If AWS denies access to the operator's data, the console still shows the data that API clients can read.
    const reading = operator?.read().catch((error: Error) => ({ problem: error.message || error.name }));
    const [state, ofOperator] = await Promise.all([source.read(), reading]);
    return { about: { ...about, hasTools: tools !== undefined }, ...state, operator: ofOperator };
  });

  const routes: Readonly<Record<string, Route>> = {
    'GET /console/live': (_request, response) => stream.connect(response),
    async 'GET /console/recipients'(_request, response, { searchParams }) {
      const page = await source.recipients({
        topicUuid: searchParams.get('topic') ?? '',
        generation: searchParams.get('generation') ?? '',
        after: searchParams.get('after') ?? undefined,
      });
      json(response, page);
    },
    ...(receiver && { 'POST /console/receiver': receiver.http }),
    ...(operator && operatorRoutes(operator)),
    ...(tools && toolRoutes(tools)),
  };

  /** Forwards a request to the API with an access token that only the console's server knows. */
  async function callApi(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const { method = 'GET' } = request;
    const body = await bodyOf(request);
    const reply = await api.send(method, path, body.length > 0 ? body : undefined);
    if (method !== 'GET') source.onChanged();
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(Buffer.from(await reply.arrayBuffer()));
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method: requestMethod = 'GET', url: target = '/' } = request;
    const method = requestMethod === 'HEAD' ? 'GET' : requestMethod;
    const url = new URL(`http://${own}${target}`);
    const asset = files[url.pathname];
    if (asset !== undefined && method === 'GET') {
      const content = await asset.read();
      response.writeHead(200, { 'content-type': `${asset.type}; charset=utf-8` });
      response.end(requestMethod === 'HEAD' ? undefined : content);
      return;
    }
    const apiPath = url.pathname.startsWith(apiPrefix) ? url.pathname.slice(apiPrefix.length) : undefined;
    if (apiPath !== undefined && isShown(method, apiPath, about.receiver !== undefined)) {
      return callApi(request, response, apiPath + url.search);
    }
    const route = routes[`${method} ${url.pathname}`];
    if (route === undefined) json(response, { message: 'the console has no page with this path' }, 404);
    else await route(request, response, url);
  }

  return {
    has: (path) => path === '/' || path.startsWith('/console/'),
    handle(request, response) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      const path = request.url?.split('?')[0] ?? '/';
      const isPage = pages.includes(path);
      // Redirects from `localhost` to 127.0.0.1, because the console accepts requests only from pages of that host.
      if (isPage && request.headers.host === `localhost:${port}`) return redirect(response, `http://${own}${path}`);
      if (!isSameOrigin(request.headers, own) && !(isPage && isNavigation(request.headers, own))) {
        return json(response, { message: `only pages from http://${own} may access the console` }, 403);
      }
      respond(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else json(response, { message: error instanceof Error ? error.message : String(error) }, 500);
      });
    },
    stop: () => stream.stop(),
  };
}
