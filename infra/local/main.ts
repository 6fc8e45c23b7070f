import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { scopes } from '../../shared/contract/scopes.ts';
import { synthesizeLocally } from '../synthesize.ts';
import { StartError } from './dynamodb.ts';
import type { LocalOutputs } from './outputs.ts';
import { findFreePort } from './ports.ts';
import { startLocalStack } from './start.ts';
import { createPaint } from './terminal.ts';

const paint = createPaint(process.stdout, process.env);

function readOptions() {
  const { values } = parseArgs({ options: { port: { type: 'string' }, data: { type: 'string' } } });
  const text = values.port ?? process.env.PORT ?? '3000';
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new StartError(`${text} is not a port: give a number from 0 to 65535`);
  return { port, ...(values.data !== undefined && { dataDir: resolve(values.data) }) };
}

function printBanner({ baseUrl, tokenUrl, inboxUrl }: LocalOutputs): void {
  const lines = [
    '',
    `  ${paint.bold('API')}     ${baseUrl}`,
    `  ${paint.bold('Token')}   ${tokenUrl}`,
    `  ${paint.bold('Inbox')}   ${inboxUrl}`,
    '',
    `  ${paint.dim('A token for everything:')}`,
    `  curl -s -u me:secret -d grant_type=client_credentials \\`,
    `    -d scope='${Object.keys(scopes).join(' ')}' \\`,
    `    ${tokenUrl}`,
    '',
    `ready ${baseUrl}`,
  ];
  console.log(lines.join('\n'));
}

/** The one line that says why the stack did not start. */
function explain(error: unknown): string {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop what runs there, or choose another with --port N`;
  if (code === 'EACCES' && port) return `port ${port} is not permitted: choose one above 1023 with --port N`;
  return `the local stack did not start: ${message}`;
}

async function main(): Promise<void> {
  // Lambda's clock shows UTC; worker threads share the process's time zone.
  process.env.TZ = 'UTC';
  const options = readOptions();
  const port = await findFreePort(options.port);
  const outdir = mkdtempSync(join(tmpdir(), 'local-stack-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const progress = setTimeout(() => console.log(paint.dim('synthesizing the stack ...')), 2000);

  // Receivers run on this machine too.
  const allowedNetworks = '127.0.0.0/8,::1/128';
  const assembly = synthesizeLocally({ baseUrl: `http://127.0.0.1:${port}`, allowedNetworks, outdir });
  const starting = startLocalStack({ ...options, port, assembly });
  let isStopping = false;
  const stop = async () => {
    // A second Ctrl-C does not wait.
    if (isStopping) process.exit(130);
    isStopping = true;
    await starting.then((stack) => stack.stop());
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);

  const { outputs } = await starting;
  clearTimeout(progress);
  mkdirSync('.local', { recursive: true });
  writeFileSync('.local/outputs.json', `${JSON.stringify(outputs, null, 2)}\n`);
  printBanner(outputs);
}

main().catch((error: unknown) => {
  console.error(createPaint(process.stderr, process.env).red(explain(error)));
  process.exit(1);
});
