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

async function answers(endpoint: string): Promise<boolean> {
  try {
    await fetch(endpoint);
    return true;
  } catch {
    return false;
  }
}

/** The file with all tables in the folder that `--data` names. */
export const databaseIn = (dataDir: string): string => join(dataDir, 'dynamodb.sqlite');

/** Uses the server at AWS_ENDPOINT_URL_DYNAMODB where that is set, and starts dynoxide otherwise. */
export async function startDynamodb(databaseFile: string | undefined): Promise<DynamodbServer> {
  const given = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (given) return { endpoint: given, stop: async () => {} };
  const binary = await findDynoxide();
  const port = await findFreePort();
  const flags = ['--port', String(port), ...(databaseFile ? ['--db-path', databaseFile] : [])];
  // The shell waits on its stdin: the pipe closes when we stop or die, even by SIGKILL, and takes the server along.
  // A session of its own keeps Ctrl-C away from the server until the functions have finished.
  const script = '"$0" "$@" >/dev/null & server=$!; cat >/dev/null; kill $server; wait $server';
  const child = spawn('/bin/sh', ['-c', script, binary, ...flags], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH },
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const exited = once(child, 'exit');

  const endpoint = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  const deadline = Date.now() + 5000;
  while (!(await answers(endpoint))) {
    if (Date.now() > deadline || complaint.includes('rror')) {
      await stop();
      throw new StartError(`the embedded DynamoDB did not start: ${complaint.trim().split('\n')[0] || 'no answer'}`);
    }
    await sleep(5);
  }
  return { endpoint, stop };
}
