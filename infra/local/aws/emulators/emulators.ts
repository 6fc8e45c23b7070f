import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FauxqsServer } from 'fauxqs';
import { StartError } from '../../start-error.ts';
import type { Access } from '../template/access.ts';
import type { AwsCallListener, Service } from './aws-call.ts';
import { type AwsProxy, startAwsProxy } from './aws-proxy.ts';
import type { ObjectEvent } from './bucket-notifications.ts';
import { databaseIn, startDynamodb } from './dynamodb.ts';
import { startSqsAndS3 } from './fauxqs.ts';
import { type Issuer, startIssuer } from './issuer.ts';
import { type SecretsServer, startSecrets } from './secrets.ts';
import { type SuppressionListServer, startSes, startSuppressionList } from './ses.ts';

export interface Emulators {
  issuer: Issuer;
  fauxqs: FauxqsServer;
  secrets: SecretsServer;
  direct: { dynamodb: string; sqs: string };
  /** The URLs of the proxies, which functions and tests call. The proxies check grants and call listeners. */
  endpoints: Record<Service, string>;
  listeners: Set<AwsCallListener>;
  /** Starts checking the grants in the template. Functions run only after `enforceGrants` has been called. */
  enforceGrants(access: Access): void;
  onObjectEvent(listener: (event: ObjectEvent) => void): void;
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
    throw new StartError(`--data requires a folder, but ${path} is a file or is inside a file`);
  }
}

export async function startEmulators(dataDir: string | undefined): Promise<Emulators> {
  if (dataDir) makeFolder(dataDir);
  const running: (() => Promise<void>)[] = [];
  const listeners = new Set<AwsCallListener>();
  let access: Access | undefined;
  let onObjectEvent: (event: ObjectEvent) => void = () => {};

  const track = async <T>(starting: Promise<T>, stop: (started: T) => Promise<void>): Promise<T> => {
    const started = await starting;
    running.push(() => stop(started));
    return started;
  };
  const stop = async () => {
    await Promise.all(running.splice(0).map((stopOne) => stopOne()));
  };
  const startProxy = (service: Service, target: string) =>
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
  const [dynamodbProxy, sqsProxy, s3Proxy, sesProxy, sesv2Proxy, secretsProxy] = await Promise.all([
    startProxy('dynamodb', direct.dynamodb),
    startProxy('sqs', direct.sqs),
    startProxy('s3', direct.sqs),
    startProxy('ses', `http://127.0.0.1:${(ses.address() as AddressInfo).port}`),
    startProxy('sesv2', suppressionList.endpoint),
    startProxy('secretsmanager', secrets.endpoint),
  ]);
  return {
    issuer,
    fauxqs,
    secrets,
    direct,
    endpoints: {
      dynamodb: dynamodbProxy.endpoint,
      sqs: sqsProxy.endpoint,
      s3: s3Proxy.endpoint,
      ses: sesProxy.endpoint,
      sesv2: sesv2Proxy.endpoint,
      secretsmanager: secretsProxy.endpoint,
    },
    listeners,
    enforceGrants: (newAccess) => {
      access = newAccess;
    },
    onObjectEvent: (newListener) => {
      onObjectEvent = newListener;
    },
    stop,
  };
}
