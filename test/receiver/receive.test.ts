import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { signingKey } from '../../shared/delivery/signing/keyring.ts';
import { type ReceivedEvent, type ReceiverOptions, receive } from '../../shared/receiver/receive.ts';
import { changed } from '../harness/delivery-cases.ts';
import { listenLocally, stopServer } from '../harness/local-server.ts';
import { closeReceivers, startReceiver } from '../harness/receiver.ts';
import { confirmation, type Delivery, delivered, event } from '../harness/signed-message.ts';

const key = signingKey('ours');
const nextKey = signingKey('next');
const birth = await delivered(event('liveBirth'), [key]);

/** Simulates the endpoints of the registry that receivers call. */
const registry = await startReceiver(({ path }) => {
  if (path.endsWith('/jwks.json')) {
    const keys = published.map(({ publicKey }) => publicKey);
    return { status: keys.length > 0 ? 200 : 503, body: JSON.stringify({ keys }) };
  }
  return { status: confirmStatus, body: '{}' };
});
afterAll(closeReceivers);
let published = [key];
let confirmStatus = 200;

let stored: ReceivedEvent[] = [];
let errors: string[] = [];
let clock = 0;
const pathsOf = (part: string) => registry.received.filter(({ path }) => path.includes(part));

const receiver = (options: Partial<ReceiverOptions> = {}) =>
  receive({
    registry: new URL(registry.url).origin,
    accessToken: () => 'the token',
    onEvent: (one) => stored.push(one),
    onError: (error) => errors.push(String(error)),
    now: () => Date.now() + clock,
    ...options,
  });

beforeEach(() => {
  published = [key];
  confirmStatus = 200;
  stored = [];
  errors = [];
  clock = 0;
});

const handle = ({ handle }: ReturnType<typeof receive>, one: Delivery) =>
  handle(Object.fromEntries(one.headers), Buffer.from(one.body, 'base64'));

test('receive stores a verified event and returns 200', async () => {
  expect(await handle(receiver(), birth)).toBe(200);
  const { 'message-id': messageId, 'topic-id': topicId } = Object.fromEntries(birth.headers);
  expect(stored).toEqual([{ messageId, topicId, subject: 'liveBirth', body: '{"uin":"décès"}' }]);
  expect(errors).toEqual([]);
});

test('receive stores an event only once, even if the event arrives again or twice at the same time', async () => {
  const one = receiver({ onEvent: async (given) => void stored.push(given) });
  expect(await Promise.all([handle(one, birth), handle(one, birth)])).toEqual([200, 200]);
  expect(await handle(one, birth)).toBe(200);
  expect(stored).toHaveLength(1);
});

test('receive calls isSeen before it stores an event', async () => {
  const asked: string[] = [];
  const one = receiver({ isSeen: async (id) => asked.push(id) > 1 });
  expect([await handle(one, birth), await handle(one, birth)]).toEqual([200, 200]);
  expect(asked).toEqual([stored[0]?.messageId, stored[0]?.messageId]);
  expect(stored).toHaveLength(1);
});

test('if onEvent throws an error, receive returns 500, and stores the event when it is delivered again', async () => {
  let isFull = true;
  const one = receiver({
    onEvent: (given) => {
      if (isFull) throw new Error('the disk is full');
      stored.push(given);
    },
  });
  expect(await handle(one, birth)).toBe(500);
  expect(errors).toEqual(['Error: the disk is full']);
  isFull = false;
  expect(await handle(one, birth)).toBe(200);
  expect(stored).toHaveLength(1);
});

test('receive returns 401 for a forged event and for an event with only Standard Webhooks signatures', async () => {
  const one = receiver();
  expect(await handle(one, changed(birth, 'subject', 'death'))).toBe(401);
  const webhookOnly = birth.headers.filter(([name]) => !name.startsWith('signature'));
  expect(await handle(one, { ...birth, headers: webhookOnly })).toBe(401);
  expect(stored).toEqual([]);
});

test('receive confirms the subscription with the token and an access token before it returns 200', async () => {
  const request = await delivered(confirmation(), [key]);
  const { token } = JSON.parse(Buffer.from(request.body, 'base64').toString());
  expect(await handle(receiver(), request)).toBe(200);
  const [made] = pathsOf('confirm').slice(-1);
  expect(made?.path).toBe(`/v1/subscriptions/confirm?token=${token}`);
  expect(made?.headers.authorization).toBe('Bearer the token');
  expect(stored).toEqual([]);
});

test('receive returns 500 if the registry rejects the confirmation', async () => {
  confirmStatus = 400;
  expect(await handle(receiver(), await delivered(confirmation(), [key]))).toBe(500);
  expect(errors).toEqual(['Error: GET /v1/subscriptions/confirm returned status 400']);
});

test('receive returns 200 without confirming if shouldConfirm returns false', async () => {
  const request = await delivered(confirmation(), [key]);
  const { topic } = JSON.parse(Buffer.from(request.body, 'base64').toString());
  const before = pathsOf('confirm').length;
  const asked: unknown[] = [];
  const one = receiver({ shouldConfirm: (about) => asked.push(about) < 0 });
  expect(await handle(one, request)).toBe(200);
  expect(asked).toEqual([{ topic, topicId: Object.fromEntries(request.headers)['topic-id'] }]);
  expect(pathsOf('confirm')).toHaveLength(before);
});

test('receive reads the keys again after five minutes, or for a delivery that is signed with a new key', async () => {
  const one = receiver();
  const reads = () => pathsOf('jwks').length;
  const before = reads();
  await handle(one, await delivered(event('liveBirth'), [key]));
  await handle(one, await delivered(event('liveBirth'), [key]));
  expect(reads() - before).toBe(1);
  clock = 2000;
  published = [nextKey];
  expect(await handle(one, await delivered(event('death'), [nextKey]))).toBe(200);
  expect(reads() - before).toBe(2);
  clock = 302_001;
  await handle(one, await delivered(event('death'), [nextKey], 302));
  expect(reads() - before).toBe(3);
});

test('receive returns 500 while the keys cannot be read, and 200 once they can be read again', async () => {
  const one = receiver();
  published = [];
  expect(await handle(one, birth)).toBe(500);
  expect(errors[0]).toMatch(/jwks\.json returned status 503$/);
  published = [key];
  expect(await handle(one, birth)).toBe(200);
});

async function post(listener: RequestListener, one: Delivery, body = Buffer.from(one.body, 'base64')) {
  const server = createServer(listener);
  const hops = ['host', 'connection', 'content-length', 'transfer-encoding'];
  const headers = one.headers.filter(([name]) => !hops.includes(name)).map(([...pair]) => pair);
  const url = await listenLocally(server);
  const { status } = await fetch(url, { method: 'POST', headers, body });
  stopServer(server);
  return status;
}

test('receiver.http serves Node.js, and Express after express.raw', async () => {
  const { http } = receiver();
  expect(await post(http, birth)).toBe(200);
  const parsed = (body: unknown): RequestListener => {
    return (request, response) => {
      request.resume().once('end', () => void receiver().http(Object.assign(request, { body }), response));
    };
  };
  expect(await post(parsed(Buffer.from(birth.body, 'base64')), birth)).toBe(200);
  expect(await post(parsed({ uin: 'décès' }), birth)).toBe(500);
  expect(errors).toEqual(['TypeError: a body parser read the body before the receiver: use express.raw']);
  expect(stored).toHaveLength(2);
});

test('receiver.http returns 413 for a body over 2 MiB', async () => {
  expect(await post(receiver().http, birth, Buffer.alloc(2 * 1024 * 1024 + 1))).toBe(413);
});

test('receiver.lambda serves API Gateway and function URLs, and rejects repeated headers', async () => {
  const headers = Object.fromEntries(birth.headers);
  const body = Buffer.from(birth.body, 'base64').toString();
  const multiValueHeaders = Object.fromEntries(birth.headers.map(([name, value]) => [name, [value]]));
  const { lambda } = receiver({ isSeen: () => false });
  const events = [
    { headers, body },
    { headers, body: birth.body, isBase64Encoded: true },
    { headers, multiValueHeaders, body },
    { headers, multiValueHeaders: { ...multiValueHeaders, Subject: ['liveBirth', 'death'] }, body },
    {},
  ];
  const statuses = await Promise.all(events.map((one) => lambda(one)));
  expect(statuses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 401, 401]);
});
