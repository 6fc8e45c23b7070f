import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FauxqsServer } from 'fauxqs';
import type { ObjectEvent } from '../../emulators/object-events.ts';
import { startSes } from '../../emulators/ses.ts';
import { type SuppressionListServer, startSuppressionList } from '../../emulators/suppression-list.ts';
import { StartError } from '../../start-error.ts';
import type { Access } from '../../template/access.ts';
import type { AwsCallListener, Service } from './aws-call.ts';
import { type AwsProxy, startAwsProxy } from './aws-proxy.ts';
import { databaseIn, startDynamodb } from './dynamodb.ts';
import { startSqsAndS3 } from './fauxqs.ts';
import { type Issuer, startIssuer } from './issuer.ts';
import { type SecretsServer, startSecrets } from './secrets.ts';

export interface Emulators {
  issuer: Issuer;
  fauxqs: FauxqsServer;
  secrets: SecretsServer;
  /** The emulators themselves, for provisioning and event sources. */
  direct: { dynamodb: string; sqs: string };
  /** The doors in front of them, for functions and tests: here grants are checked and calls can be watched. */
  endpoints: Record<Service, string>;
  listeners: Set<AwsCallListener>;
  /** From now on functions have the grants of the template; before, there are no functions. */
  enforce(access: Access): void;
  /** From now on this hears of what happens to objects; before, nobody does. */
  notify(hear: (event: ObjectEvent) => void): void;
  stop(): Promise<void>;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    throw new StartError(`${path} is, or lies in, a file: --data takes the folder to keep everything in`);
  }
}

export async function startEmulators(dataDir: string | undefined): Promise<Emulators> {
  if (dataDir) makeFolder(dataDir);
  const running: (() => Promise<void>)[] = [];
  const listeners = new Set<AwsCallListener>();
  let access: Access | undefined;
  let onObjectEvent: (event: ObjectEvent) => void = () => {};

  /** Whatever has started is stopped again when a neighbour fails to start. */
  const track = async <T>(starting: Promise<T>, stop: (started: T) => Promise<void>): Promise<T> => {
    const started = await starting;
    running.push(() => stop(started));
    return started;
  };
  const stop = async () => {
    await Promise.all(running.splice(0).map((stopOne) => stopOne()));
  };
  const door = (service: Service, target: string) =>
    track(startAwsProxy({ service, target, access: () => access, listeners }), (proxy: AwsProxy) => proxy.stop());

  const starting = await Promise.allSettled([
    track(startDynamodb(dataDir && databaseIn(dataDir)), (server) => server.stop()),
    track(
      startSqsAndS3(dataDir, (event) => onObjectEvent(event)),
      (server) => server.stop(),
    ),
    track(startSes(dataDir && join(dataDir, 'mails.jsonl')), close),
    track(startIssuer(dataDir), (issuer) => issuer.stop()),
    track(startSecrets(dataDir && join(dataDir, 'secrets.json')), ({ server }) => close(server)),
    track(startSuppressionList(), ({ server }) => close(server)),
  ]);
  const failure = starting.find((result) => result.status === 'rejected');
  const [dynamodb, fauxqs, ses, issuer, secrets, suppressionList] = starting.map(
    (result) => 'value' in result && result.value,
  ) as [Awaited<ReturnType<typeof startDynamodb>>, FauxqsServer, Server, Issuer, SecretsServer, SuppressionListServer];
  if (failure) {
    await stop();
    throw failure.reason;
  }

  const direct = { dynamodb: dynamodb.endpoint, sqs: `http://127.0.0.1:${fauxqs.port}` };
  const [dynamodbDoor, sqsDoor, s3Door, sesDoor, sesv2Door, secretsDoor] = await Promise.all([
    door('dynamodb', direct.dynamodb),
    door('sqs', direct.sqs),
    door('s3', direct.sqs),
    door('ses', `http://127.0.0.1:${(ses.address() as AddressInfo).port}`),
    door('sesv2', suppressionList.endpoint),
    door('secretsmanager', secrets.endpoint),
  ]);
  return {
    issuer,
    fauxqs,
    secrets,
    direct,
    endpoints: {
      dynamodb: dynamodbDoor.endpoint,
      sqs: sqsDoor.endpoint,
      s3: s3Door.endpoint,
      ses: sesDoor.endpoint,
      sesv2: sesv2Door.endpoint,
      secretsmanager: secretsDoor.endpoint,
    },
    listeners,
    enforce: (newAccess) => {
      access = newAccess;
    },
    notify: (hear) => {
      onObjectEvent = hear;
    },
    stop,
  };
}
