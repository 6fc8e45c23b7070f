import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { guard } from '../../guard.ts';

interface Version {
  value: string;
  createdAt: number;
}

interface Stages {
  AWSCURRENT: Version;
  AWSPREVIOUS?: Version;
}

export interface SecretsServer {
  server: Server;
  endpoint: string;
  /** Creates a random secret unless a secret with this ARN exists. */
  ensure(arn: string, length: number): void;
}

interface SecretCall {
  SecretId?: string;
  SecretString?: string;
  VersionStage?: keyof Stages;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('');

export async function startSecrets(file: string | undefined): Promise<SecretsServer> {
  const secrets = new Map<string, Stages>(file ? readSaved(file) : []);
  const save = () => {
    if (file === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify([...secrets]), { mode: 0o600 });
  };

  function respond(operation: string, { SecretId = '', SecretString, VersionStage = 'AWSCURRENT' }: SecretCall) {
    const stages = secrets.get(SecretId);
    if (stages && operation === 'PutSecretValue' && SecretString !== undefined) {
      secrets.set(SecretId, {
        AWSCURRENT: { value: SecretString, createdAt: Date.now() },
        AWSPREVIOUS: stages.AWSCURRENT,
      });
      save();
      return { status: 200, body: { ARN: SecretId, VersionStages: ['AWSCURRENT'] } };
    }
    const version = stages?.[VersionStage];
    if (version && operation === 'GetSecretValue') {
      const body = { ARN: SecretId, SecretString: version.value, CreatedDate: version.createdAt / 1000 };
      return { status: 200, body };
    }
    const message = "Secrets Manager can't find the specified secret or version.";
    return { status: 400, body: { __type: 'ResourceNotFoundException', message } };
  }

  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const { status, body } = respond(operation, JSON.parse((await text(request)) || '{}'));
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => guard(server).listen(0, '127.0.0.1', resolve));
  return {
    server,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ensure(arn, length) {
      if (secrets.has(arn)) return;
      secrets.set(arn, { AWSCURRENT: { value: randomText(length), createdAt: Date.now() } });
      save();
    },
  };
}

function readSaved(file: string): [string, Stages][] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}
