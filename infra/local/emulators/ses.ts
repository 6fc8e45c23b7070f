import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';

type Email = import('aws-ses-v2-local/dist/store.js').Email;
type SesPackage = typeof import('aws-ses-v2-local') & typeof import('aws-ses-v2-local/dist/store.js');

const require = createRequire(import.meta.url);

/** The package holds the mails in its module: loaded anew, every server has an inbox of its own. */
function loadPackage(): SesPackage {
  const main = require.resolve('aws-ses-v2-local');
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(dirname(main) + sep)) delete require.cache[file];
  }
  // It is CommonJS with a `default`, which loaders unwrap differently: `require` leaves no doubt.
  return { ...require('aws-ses-v2-local'), ...require('aws-ses-v2-local/dist/store.js') };
}

/** One mail a line. Where a crash cut off the last one, that one is lost. */
function readKept(file: string): Email[] {
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

/**
 * Keeps what the inbox holds in a file: a mail is there before its sender hears that it was taken, and an inbox that was
 * emptied stays empty.
 */
function keepMails(server: Server, mails: () => readonly Email[], file: string): void {
  let kept = mails().length;
  const writeAll = () => {
    // Whole or not at all: a crash in between leaves the file of before.
    writeFileSync(`${file}.new`, linesOf(mails()), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  const keep = () => {
    const now = mails();
    if (now.length > kept) appendFileSync(file, linesOf(now.slice(kept)));
    else if (now.length < kept) writeAll();
    kept = now.length;
  };
  writeAll();
  server.prependListener('request', (_request, response) => {
    const end = response.end.bind(response) as (...values: unknown[]) => never;
    response.end = (...values: unknown[]) => {
      keep();
      return end(...values);
    };
  });
}

/** SES with an inbox to look into. With a file the mails outlive the server, attachments and all. */
export async function startSes(file: string | undefined): Promise<Server> {
  const { default: start, getStoreReadonly } = loadPackage();
  if (file !== undefined) getStoreReadonly().emails.push(...readKept(file));
  const server = await start({ host: '127.0.0.1', port: 0 });
  if (file !== undefined) keepMails(server, () => getStoreReadonly().emails, file);
  return server;
}
