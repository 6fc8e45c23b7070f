import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guard } from '../../guard.ts';
import { type Access, accessDenied } from '../template/access.ts';
import { type AwsCallListener, type AwsResponse, callerOf, recognize, type Service } from './aws-call.ts';

export interface AwsProxy {
  endpoint: string;
  stop(): Promise<void>;
}

interface AwsProxyOptions {
  service: Service;
  target: string;
  /** Returns the current grants; undefined until the grants have been read from the template. */
  access: () => Access | undefined;
  listeners: Set<AwsCallListener>;
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'expect', 'content-length']);

function respond(response: ServerResponse, reply: AwsResponse): void {
  response.writeHead(reply.status, { 'content-type': 'application/x-amz-json-1.0', ...reply.headers });
  response.end(reply.body);
}

/** Starts a proxy in front of one emulator. The proxy checks the caller's grants, calls the listeners and forwards the call. */
export async function startAwsProxy({ service, target, access, listeners }: AwsProxyOptions): Promise<AwsProxy> {
  const agent = new Agent({ keepAlive: true });
  const upstream = new URL(target);

  // Without the permission s3:ListBucket, S3 returns 403 instead of 404 for a missing object.
  const hidesMissingObjects = ({ headers, url = '/' }: IncomingMessage): boolean => {
    const caller = callerOf(headers);
    if (service !== 's3' || !caller || !access()?.functionNameOf(caller)) return false;
    const bucket = `arn:aws:s3:::${url.split(/[/?]/)[1]}`;
    return access()?.firstDenied(caller, [{ action: 's3:ListBucket', resources: [bucket] }]) !== undefined;
  };

  const forward = (incoming: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !hopByHop.has(name)));
    const outgoing = request({
      agent,
      host: upstream.hostname,
      port: upstream.port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...headers, 'content-length': body.length },
    });
    outgoing.on('response', (reply) => {
      if (reply.statusCode === 404 && hidesMissingObjects(incoming)) {
        reply.resume();
        const need = { action: 's3:ListBucket', resources: [String(incoming.url)] };
        respond(response, accessDenied(service, callerOf(incoming.headers) ?? '', need));
        return;
      }
      const replyHeaders = Object.entries(reply.headers).filter(
        ([name]) => !/^(?:connection|keep-alive|access-control-.*)$/.test(name),
      );
      response.writeHead(reply.statusCode ?? 502, Object.fromEntries(replyHeaders));
      reply.pipe(response);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The emulator closed the idle connection before reading the call, so the proxy can safely repeat the call.
      const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET' && !response.closed;
      if (isStale && !response.headersSent) forward(incoming, body, response);
      else if (response.headersSent) response.destroy();
      else
        respond(response, {
          status: 503,
          body: JSON.stringify({ __type: 'ServiceUnavailable', message: error.message }),
        });
    });
    // A long poll must end when the caller disconnects.
    response.on('close', () => outgoing.destroy());
    outgoing.end(body);
  };

  const intercept = async (incoming: IncomingMessage, body: Buffer): Promise<AwsResponse | undefined> => {
    const caller = callerOf(incoming.headers);
    const functionName = caller && access()?.functionNameOf(caller);
    // Only functions need grants. Tests and event sources use credentials that do not identify a function.
    if (!caller || !functionName) return undefined;
    const { method = 'GET', url = '/', headers } = incoming;
    const call = recognize({ service, method, url, headers, body });
    const needs = access()?.completed(call.needs) ?? call.needs;
    const denied = access()?.firstDenied(caller, needs);
    if (denied) return accessDenied(service, functionName, denied);
    for (const listener of listeners) {
      const reply = await listener({ functionName, service, ...call, needs, body: body.toString() });
      if (reply) return reply;
    }
    return undefined;
  };

  const server = createServer(async (incoming, response) => {
    try {
      const body = await readBody(incoming);
      const reply = await intercept(incoming, body);
      if (reply) respond(response, reply);
      else forward(incoming, body, response);
    } catch (error) {
      respond(response, { status: 500, body: JSON.stringify({ __type: 'InternalFailure', message: String(error) }) });
    }
  });
  await new Promise<void>((resolve) =>
    guard(server, { pages: service === 'ses' ? ['/'] : [] }).listen(0, '127.0.0.1', resolve),
  );
  const { port } = server.address() as AddressInfo;

  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}
