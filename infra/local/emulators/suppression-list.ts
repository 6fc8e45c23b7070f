import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface SuppressionListServer {
  server: Server;
  endpoint: string;
}

interface Entry {
  EmailAddress: string;
  Reason: string;
  LastUpdateTime: number;
}

const place = '/v2/email/suppression/addresses';

const missing = (address: string) => ({
  status: 404,
  error: 'NotFoundException',
  body: { message: `Email address ${address} does not exist on your suppression list.` },
});

async function answer(
  entries: Map<string, Entry>,
  { method, url = '/' }: IncomingMessage,
  input: () => Promise<unknown>,
) {
  const [path = ''] = url.split('?');
  if (method === 'PUT' && path === place) {
    const { EmailAddress, Reason } = (await input()) as Entry;
    entries.set(EmailAddress, { EmailAddress, Reason, LastUpdateTime: Date.now() / 1000 });
    return { status: 200, body: {} };
  }
  const address = path.startsWith(`${place}/`) ? decodeURIComponent(path.slice(place.length + 1)) : '';
  const SuppressedDestination = entries.get(address);
  if (SuppressedDestination === undefined) return missing(address);
  if (method === 'GET') return { status: 200, body: { SuppressedDestination } };
  if (method !== 'DELETE') return { status: 404, error: 'UnknownOperationException', body: {} };
  entries.delete(address);
  return { status: 200, body: {} };
}

/**
 * The suppression list of SES, which the inbox's emulator lacks: PutSuppressedDestination, GetSuppressedDestination and
 * DeleteSuppressedDestination. It is a list and no more: nothing bounces on a laptop, so that only callers put addresses on
 * it; the inbox takes mails to them all the same; and it is forgotten when the stack ends.
 */
export async function startSuppressionList(): Promise<SuppressionListServer> {
  const entries = new Map<string, Entry>();
  const unreadable = (reason: unknown) => ({
    status: 400,
    error: 'BadRequestException',
    body: { message: `${reason}` },
  });
  const server = createServer(async (request, response) => {
    const reply = await answer(entries, request, () => json(request)).catch(unreadable);
    if ('error' in reply) response.setHeader('x-amzn-errortype', reply.error);
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
