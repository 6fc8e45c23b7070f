import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { s3 } from '../../../shared/storage/documents/objects.ts';
import { documents } from '../../../shared/storage/documents/store.ts';

// The maximum number of connections that the SDK opens to one host by default.
const mostSockets = 50;

let server: Server;

/**
 * Starts a server that returns a checksum on request, as S3 does. The first part of the object key names the checksum
 * algorithm.
 */
beforeAll(async () => {
  server = createServer(({ url = '', headers }, response) => {
    const [, algorithm = ''] = url.split('/');
    if (headers['x-amz-checksum-mode'] === 'ENABLED') {
      response.setHeader(`x-amz-checksum-${algorithm}`, 'AAAAAAAAAAA=');
      response.setHeader('x-amz-checksum-type', 'FULL_OBJECT');
    }
    response.setHeader('etag', '"tag"').setHeader('content-length', 10).end('a document');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  for (const [name, value] of Object.entries({ REGION: 'us-east-1', ACCESS_KEY_ID: 'test', SECRET_ACCESS_KEY: 'test' }))
    vi.stubEnv(`AWS_${name}`, value);
  const { port } = server.address() as AddressInfo;
  s3().middlewareStack.add(
    (next) => (args) => {
      Object.assign(args.request as object, { protocol: 'http:', hostname: '127.0.0.1', port });
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'toOwnServer' },
  );
});

afterAll(() => {
  s3().middlewareStack.remove('toOwnServer');
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

it.each(['sha512', 'xxhash64', 'xxhash3', 'xxhash128'])(
  'reading documents with a checksum does not exhaust the connections of the SDK (%s)',
  async (algorithm) => {
    const { open } = documents.permissions.read(s3(), 'bucket');
    const read: string[] = [];
    for (let times = 0; times <= mostSockets; times++) {
      const file = await open({ key: `${algorithm}/p.pdf` });
      if (file !== undefined) read.push(await text(file.body));
    }
    expect(read).toEqual(Array.from({ length: mostSockets + 1 }, () => 'a document'));
  },
);
