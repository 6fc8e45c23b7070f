import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { answerParent } from './process.ts';

// This proxy runs in front of the embedded servers, in a separate process. The proxy records a function's requests and
// responses and replays them later. Both functions in a comparison therefore receive the same bytes without delay.

export interface AwsCall {
  readonly target?: string;
  readonly method: string;
  readonly url: string;
  readonly range?: string;
  readonly body: string;
}

/** The AWS calls of one request, in stages. All calls of a stage were made concurrently. */
export type Stages = readonly (readonly AwsCall[])[];

export type WarmQuestion =
  | { readonly ask: 'open'; readonly services: Readonly<Record<string, string>> }
  | { readonly ask: 'record' | 'recorded' | 'replay'; readonly name: string }
  | { readonly ask: 'count' };

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Recording {
  readonly stages: AwsCall[][];
  readonly replies: Map<string, Reply[]>;
}

const recordings = new Map<string, Recording>();
let services: Readonly<Record<string, string>> = {};
let current: { readonly name: string; readonly isReplaying: boolean } | undefined;
let underWay = 0;
let count = 0;
const turns = new Map<string, number>();

const recordingOf = (name: string): Recording => {
  const recording = recordings.get(name) ?? { stages: [], replies: new Map() };
  recordings.set(name, recording);
  return recording;
};

/** Returns a key that identifies the kind of call. Calls that differ only in ids and times have the same key. */
function kindOf({ target, method, url, range = '', body }: AwsCall): string {
  if (target === undefined) return `${method} ${url} ${range}`;
  const { TableName, IndexName, QueueUrl, SecretId } = JSON.parse(body);
  return [target, TableName, IndexName, QueueUrl, SecretId].join(' ');
}

function serviceOf({ target = '' }: AwsCall): string {
  if (target.startsWith('DynamoDB')) return services.dynamodb ?? '';
  if (target.startsWith('AmazonSQS')) return services.sqs ?? '';
  return (target.startsWith('secretsmanager') ? services.secretsmanager : services.s3) ?? '';
}

const hopByHop = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect']);
const forwarded = (headers: Iterable<[string, unknown]>) =>
  Object.fromEntries(
    [...headers].filter(([name]) => !hopByHop.has(name)).map(([name, value]) => [name, String(value)]),
  );

async function passOn(call: AwsCall, { headers }: IncomingMessage): Promise<Reply> {
  const response = await fetch(serviceOf(call) + call.url, {
    method: call.method,
    headers: forwarded(Object.entries(headers)),
    ...(call.method === 'GET' ? {} : { body: call.body }),
  });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: forwarded(response.headers.entries()), body };
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Updates the ids and hashes of messages in a response from SQS, because each request sends different messages. */
function withHash(call: AwsCall, reply: Reply): Reply {
  const body = () => JSON.parse(String(reply.body));
  const replaced = (answered: unknown): Reply => ({ ...reply, body: Buffer.from(JSON.stringify(answered)) });
  if (call.target === 'AmazonSQS.SendMessage')
    return replaced({ ...body(), MD5OfMessageBody: md5(JSON.parse(call.body).MessageBody) });
  if (call.target !== 'AmazonSQS.SendMessageBatch') return reply;
  const entries: { Id: string; MessageBody: string }[] = JSON.parse(call.body).Entries;
  const [{ MessageId }] = body().Successful;
  const sent = entries.map(({ Id, MessageBody }) => ({ Id, MessageId, MD5OfMessageBody: md5(MessageBody) }));
  return replaced({ Successful: sent, Failed: [] });
}

/**
 * Returns the response that was recorded for a call in the second request of a process. If only the first request makes
 * a call, returns the response from the first request.
 */
function answerAgain(name: string, call: AwsCall): Reply {
  const kind = kindOf(call);
  const replies = recordings.get(name)?.replies.get(kind) ?? recordings.get(`${name}, first`)?.replies.get(kind);
  const turn = turns.get(kind) ?? 0;
  turns.set(kind, turn + 1);
  const reply = replies?.[turn % replies.length];
  if (reply === undefined) throw new Error(`the recording of ${name} does not contain the call ${kind}`);
  return withHash(call, reply);
}

async function answer(request: IncomingMessage): Promise<Reply> {
  const { method = 'GET', url = '/', headers } = request;
  const target = headers['x-amz-target'] as string | undefined;
  const body = (await buffer(request)).toString();
  const call = { method, url, body, ...(target && { target }), ...(headers.range && { range: headers.range }) };
  count += 1;
  if (current?.isReplaying) return answerAgain(current.name, call);
  const { stages, replies } = recordingOf(current?.name ?? '');
  if (underWay === 0) stages.push([]);
  stages.at(-1)?.push(call);
  underWay += 1;
  try {
    const reply = await passOn(call, request);
    replies.set(kindOf(call), [...(replies.get(kindOf(call)) ?? []), reply]);
    return reply;
  } finally {
    underWay -= 1;
  }
}

const write = (response: ServerResponse, { status, headers, body }: Reply): void => {
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
};

const server = createServer((request, response) => {
  answer(request).then(
    (reply) => write(response, reply),
    (error: Error) => write(response, { status: 400, headers: {}, body: Buffer.from(error.message) }),
  );
});

answerParent<WarmQuestion, string | number | Stages>(async (question) => {
  if (question.ask === 'open') {
    services = question.services;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  if (question.ask === 'count') return count;
  if (question.ask === 'recorded') return recordingOf(question.name).stages;
  current = { name: question.name, isReplaying: question.ask === 'replay' };
  turns.clear();
  return '';
});
