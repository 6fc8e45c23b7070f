import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, sep } from 'node:path';
import { json } from 'node:stream/consumers';
import { guard } from '../../guard.ts';

export interface SuppressionListServer {
  server: Server;
  endpoint: string;
}

interface Entry {
  EmailAddress: string;
  Reason: string;
  LastUpdateTime: number;
}

const addressesPath = '/v2/email/suppression/addresses';

const missing = (address: string) => ({
  status: 404,
  error: 'NotFoundException',
  body: { message: `Email address ${address} does not exist on your suppression list.` },
});

async function respond(
  entries: Map<string, Entry>,
  { method, url = '/' }: IncomingMessage,
  input: () => Promise<unknown>,
) {
  const [path = ''] = url.split('?');
  if (method === 'PUT' && path === addressesPath) {
    const { EmailAddress, Reason } = (await input()) as Entry;
    entries.set(EmailAddress, { EmailAddress, Reason, LastUpdateTime: Date.now() / 1000 });
    return { status: 200, body: {} };
  }
  const address = path.startsWith(`${addressesPath}/`) ? decodeURIComponent(path.slice(addressesPath.length + 1)) : '';
  const SuppressedDestination = entries.get(address);
  if (SuppressedDestination === undefined) return missing(address);
  if (method === 'GET') return { status: 200, body: { SuppressedDestination } };
  if (method !== 'DELETE') return { status: 404, error: 'UnknownOperationException', body: {} };
  entries.delete(address);
  return { status: 200, body: {} };
}

/**
 * Emulates the operations PutSuppressedDestination, GetSuppressedDestination and DeleteSuppressedDestination, which
 * aws-ses-v2-local lacks. Emails never bounce locally, emails to suppressed addresses still arrive, and the list is not
 * saved.
 */
export async function startSuppressionList(): Promise<SuppressionListServer> {
  const entries = new Map<string, Entry>();
  const unreadable = (reason: unknown) => ({
    status: 400,
    error: 'BadRequestException',
    body: { message: `${reason}` },
  });
  const server = createServer(async (request, response) => {
    const reply = await respond(entries, request, () => json(request)).catch(unreadable);
    if ('error' in reply) response.setHeader('x-amzn-errortype', reply.error);
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => guard(server).listen(0, '127.0.0.1', resolve));
  return { server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

type Email = import('aws-ses-v2-local/dist/store.js').Email;
type SesPackage = typeof import('aws-ses-v2-local') & typeof import('aws-ses-v2-local/dist/store.js');

const require = createRequire(import.meta.url);

/** Reloads the package for each server, because the package keeps its inbox in module-level variables. */
function loadPackage(): SesPackage {
  const main = require.resolve('aws-ses-v2-local');
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(dirname(main) + sep)) delete require.cache[file];
  }
  // Uses `require` because module loaders differ in how they treat the default export of a CommonJS package.
  return { ...require('aws-ses-v2-local'), ...require('aws-ses-v2-local/dist/store.js') };
}

/** Reads saved emails, one per line. Ignores an incomplete last line, which a crash can leave behind. */
function readSavedMails(file: string): Email[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Email];
      } catch {
        return [];
      }
    });
}

const linesOf = (emails: readonly Email[]): string => emails.map((email) => `${JSON.stringify(email)}\n`).join('');

/** Saves each email to a file before the sender receives the response. */
function saveMails(server: Server, mails: () => readonly Email[], file: string): void {
  let savedCount = mails().length;
  const writeAll = () => {
    // Renaming is atomic, so after a crash the file has either its old or its new content.
    writeFileSync(`${file}.new`, linesOf(mails()), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  const saveNew = () => {
    const now = mails();
    if (now.length > savedCount) appendFileSync(file, linesOf(now.slice(savedCount)));
    else if (now.length < savedCount) writeAll();
    savedCount = now.length;
  };
  writeAll();
  server.prependListener('request', (_request, response) => {
    const end = response.end.bind(response) as (...values: unknown[]) => never;
    response.end = (...values: unknown[]) => {
      saveNew();
      return end(...values);
    };
  });
}

/** Starts SES with an inbox. If `file` is set, emails and their attachments survive restarts. */
export async function startSes(file: string | undefined): Promise<Server> {
  const { default: start, getStoreReadonly } = loadPackage();
  if (file !== undefined) getStoreReadonly().emails.push(...readSavedMails(file));
  const server = guard(await start({ host: '127.0.0.1', port: 0 }), { pages: ['/'] });
  if (file !== undefined) saveMails(server, () => getStoreReadonly().emails, file);
  return server;
}
