import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../start-error.ts';
import { findDynoxide } from './dynoxide.ts';
import { findFreePort } from './ports.ts';

export interface DynamodbServer {
  endpoint: string;
  stop(): Promise<void>;
}

async function isListening(endpoint: string): Promise<boolean> {
  try {
    await fetch(endpoint);
    return true;
  } catch {
    return false;
  }
}

export const databaseIn = (dataDir: string): string => join(dataDir, 'dynamodb.sqlite');

/** Uses the server at `AWS_ENDPOINT_URL_DYNAMODB` if this variable is set, and starts dynoxide otherwise. */
export async function startDynamodb(databaseFile: string | undefined): Promise<DynamodbServer> {
  const configured = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (configured) return { endpoint: configured, stop: async () => {} };
  const binary = await findDynoxide();
  const port = await findFreePort();
  const flags = ['--port', String(port), ...(databaseFile ? ['--db-path', databaseFile] : [])];
  // The shell waits for its stdin to end. When this process stops or dies, even by SIGKILL, the pipe closes and the
  // shell stops the server. A separate session shields the server from Ctrl-C until the functions have finished.
  const script = '"$0" "$@" >/dev/null & server=$!; cat >/dev/null; kill $server; wait $server';
  const child = spawn('/bin/sh', ['-c', script, binary, ...flags], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH },
  });
  let errorOutput = '';
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk;
  });
  const exited = once(child, 'exit');

  const endpoint = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  const deadline = Date.now() + 5000;
  while (!(await isListening(endpoint))) {
    if (Date.now() > deadline || errorOutput.includes('rror')) {
      await stop();
      throw new StartError(
        `the embedded DynamoDB did not start: ${errorOutput.trim().split('\n')[0] || 'no response'}`,
      );
    }
    await sleep(5);
  }
  return { endpoint, stop };
}
