import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { StartError } from '../../start-error.ts';
import { findDynoxide } from './dynoxide.ts';
import { findFreePort, portsBlockedByBrowsers } from './ports.ts';

export interface DynamodbServer {
  endpoint: string;
  stop(): Promise<void>;
}

export const databaseIn = (dataDir: string): string => join(dataDir, 'dynamodb.sqlite');

// This shell script stops the server when the script's stdin closes, even if the parent process was killed with
// SIGKILL. The server runs in its own session, so that Ctrl-C does not stop the server before the functions have
// finished.
const script = '"$0" "$@" & server=$!; cat >/dev/null; kill $server; wait $server';

/**
 * Starts dynoxide on a port. In tests, a random port prevents late requests from reaching the server of another test.
 */
export async function startAt(port: number, binary: string, databaseFile?: string): Promise<DynamodbServer> {
  const flags = ['--port', String(port), ...(databaseFile ? ['--db-path', databaseFile] : [])];
  const child = spawn('/bin/sh', ['-c', script, binary, ...flags], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH },
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  // The server prints one line to stderr: either its address or the reason why it cannot start. The line can arrive in
  // several parts.
  let line = '';
  for await (const part of child.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    line += part;
    if (line.includes('\n')) break;
  }
  child.stderr.resume();
  if (line.includes('listening on ')) return { endpoint: `http://127.0.0.1:${port}`, stop };
  await stop();
  throw new StartError(`the embedded DynamoDB did not start: ${line.trim() || 'no response'}`);
}

/**
 * Uses the server at `AWS_ENDPOINT_URL_DYNAMODB`, or starts dynoxide if that variable is not set. The port of dynoxide
 * is a port that browsers block, because dynoxide would accept requests from web pages. `program` is the path of a
 * program to run instead of dynoxide.
 */
export async function startDynamodb(databaseFile: string | undefined, program?: string): Promise<DynamodbServer> {
  const configured = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (configured) return { endpoint: configured, stop: async () => {} };
  const binary = program ?? (await findDynoxide());
  for (const port of portsBlockedByBrowsers()) {
    try {
      return await startAt(port, binary, databaseFile);
    } catch (error) {
      if (!String(error).includes('already in use')) throw error;
    }
  }
  // Uses any free port if all ports that browsers block are in use, which happens only in tests.
  return startAt(await findFreePort(), binary, databaseFile);
}
