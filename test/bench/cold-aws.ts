import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { selfSigned } from '../harness/certificate.ts';
import { anIssuerKey, tokenBy } from '../harness/key-server.ts';
import { answerParent } from './process.ts';

// A stub for the AWS APIs and the token issuer. The stub runs in a separate process, uses TLS on loopback, and responds
// immediately. The stub returns data only if a function cannot continue without the data.

const row = { S: '01890000-0000-7000-8000-000000000000' };
const rows: Readonly<Record<string, object>> = {
  persons: { uin: { S: '10' }, attributes: { M: { firstName: { S: 'Inés' } } } },
  topics: { uuid: row, name: { S: 'CR' }, generation: row },
};

interface Asked {
  readonly TableName?: string;
  readonly MessageBody?: string;
  readonly Entries?: readonly { readonly Id: string; readonly MessageBody: string }[];
}

const md5 = (body = ''): string => createHash('md5').update(body).digest('hex');

const operations: Readonly<Record<string, (asked: Asked) => object>> = {
  GetItem: ({ TableName = '' }) => (rows[TableName] ? { Item: rows[TableName] } : {}),
  Query: () => ({ Items: [], Count: 0, ScannedCount: 0 }),
  // The condition of every subscription update fails, because the stub has no subscriptions.
  UpdateItem: ({ TableName }) =>
    TableName === 'subscriptions'
      ? { __type: 'ConditionalCheckFailedException', message: 'The conditional request failed' }
      : {},
  BatchGetItem: () => ({ Responses: {}, UnprocessedKeys: {} }),
  SendMessage: ({ MessageBody }) => ({ MessageId: '1', MD5OfMessageBody: md5(MessageBody) }),
  SendMessageBatch: ({ Entries = [] }) => ({
    Successful: Entries.map(({ Id, MessageBody }) => ({ Id, MessageId: Id, MD5OfMessageBody: md5(MessageBody) })),
  }),
  GetSecretValue: () => ({ SecretString: 'a secret of the bench', CreatedDate: 1_700_000_000 }),
};

// The SDK adds the bucket name to a host name, but not to an IP address. S3 clients therefore use an IP address.
const [byName, byAddress] = [selfSigned('localhost'), selfSigned('127.0.0.1')];
const issuerKey = anIssuerKey('bench');

const documentKey = 'documents/10/birthCertificate/-/certificate.pdf';
const document = '%PDF-1.7\n%%EOF\n';
const etag = `"${md5(document)}"`;
const listed =
  `<Contents><Key>${documentKey}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>` +
  `<ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${document.length}</Size></Contents>`;
const list = (contents: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>${contents}<IsTruncated>false</IsTruncated></ListBucketResult>`;
const noSuchKey = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>NoSuchKey</Code><Message>no</Message></Error>';

interface Answer {
  readonly status?: number;
  readonly type: string;
  readonly body: string;
  readonly etag?: string;
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const asked = await text(request);
  const operation = String(request.headers['x-amz-target'] ?? '').split('.')[1];
  if (operation !== undefined) {
    const answered = operations[operation]?.(JSON.parse(asked) as Asked) ?? {};
    const status = '__type' in answered ? 400 : 200;
    return { status, type: 'application/x-amz-json-1.0', body: JSON.stringify(answered) };
  }
  if (request.url === '/jwks')
    return { type: 'application/json', body: JSON.stringify({ keys: [issuerKey.published] }) };
  if (request.url?.includes('list-type=2'))
    return {
      type: 'application/xml',
      body: list(request.url.includes(encodeURIComponent('documents/10/')) ? listed : ''),
    };
  if (request.url?.includes(documentKey)) return { type: 'application/pdf', body: document, etag };
  return request.method === 'PUT'
    ? { type: 'text/plain', body: '' }
    : { status: 404, type: 'application/xml', body: noSuchKey };
}

const server = createServer({ ...byAddress, keepAlive: true }, (request, response) => {
  answer(request).then(
    ({ status = 200, type, body, etag }) =>
      response
        .writeHead(status, {
          'content-type': type,
          'content-length': Buffer.byteLength(body),
          ...(etag !== undefined && { etag }),
        })
        .end(body),
    (error: Error) => response.writeHead(500).end(error.message),
  );
});
server.addContext('localhost', byName);

export interface Opened {
  readonly endpoint: string;
  /** The S3 endpoint is an IP address, so S3 clients put the bucket name in the path. */
  readonly s3: string;
  readonly cert: string;
  readonly token: string;
}

answerParent<{ issuer: string; audience: string }, Opened>(async ({ issuer, audience }) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const endpoint = `https://localhost:${port}`;
  const claims = { iss: issuer, aud: audience, client_id: 'bench', scope: 'cr.person.read' };
  const cert = byName.cert + byAddress.cert;
  return {
    endpoint,
    s3: `https://127.0.0.1:${port}`,
    cert,
    token: tokenBy(issuerKey, { ...claims, exp: Math.floor(Date.now() / 1000) + 86_400 }),
  };
});
