import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { findFreePort } from '../../infra/local/aws/emulators/ports.ts';
import { uniqueName } from '../harness/world.ts';
import { type Fault, startSpoiler } from './faulty-proxy.ts';
import { mailsOf } from './mails.ts';
import { startReceiver } from './receiver.ts';
import { runSentences } from './run.ts';
import { sentences } from './sentences.ts';
import { fromIssuer, keepTokens } from './tokens.ts';

const { outputs } = inject('stack');
const token = keepTokens(fromIssuer(outputs.tokenUrl, uniqueName('conformance')));

/** The sentences of some sections that do not hold with a fault before the API, or before the receiver. */
async function failuresWith(fault: Fault, side: 'api' | 'receiver', sections: RegExp): Promise<string[]> {
  const port = await findFreePort();
  const target = side === 'api' ? outputs.baseUrl : `http://127.0.0.1:${port}`;
  const spoiler = await startSpoiler(() => target, fault);
  const receiver = await startReceiver(60_000, port, side === 'api' ? `http://127.0.0.1:${port}` : spoiler.url);
  const baseUrl = side === 'api' ? spoiler.url : outputs.baseUrl;
  const mailbox = () => `clerk@${uniqueName('conformance')}.example.org`;
  const chosen = sentences.filter(({ section }) => sections.test(section));
  const mails = mailsOf(outputs.inboxUrl, 60_000);
  const results = await runSentences({ baseUrl, token, receiver, mailbox, mails, document: undefined }, chosen);
  for (const one of [spoiler, receiver]) one.stop();
  expect(results.filter(({ outcome }) => outcome === 'ok').length, 'sentences that hold all the same').toBeGreaterThan(
    0,
  );
  return results.filter(({ outcome }) => outcome === 'failed').map(({ sentence }) => sentence);
}

const withoutHeader = (name: string) => (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([given]) => given !== name));

/** As where the deployment sends events in OSIA’s Message object, but for what some fields are where no subject was given. */
function enveloped(fields: Record<string, unknown>): NonNullable<Fault['request']> {
  const names = new Map<string | undefined, string>();
  return ({ headers, body }) => {
    const { 'message-type': type, 'topic-id': topic, 'message-id': messageId, subject = '' } = headers;
    if (type !== 'Notification') {
      names.set(topic, JSON.parse(body).topic);
      return {};
    }
    const message = Buffer.from(body, 'latin1').toString();
    const whole = { type, topic: names.get(topic), message, messageId, subject, timestamp: new Date().toISOString() };
    const sent = subject === '' ? { ...whole, ...fields } : whole;
    return { body: Buffer.from(JSON.stringify(sent)).toString('latin1') };
  };
}

test.each<[what: string, side: 'api' | 'receiver', sections: RegExp, fault: Fault, failures: readonly string[]]>([
  ['nothing', 'api', /^4\.1 POST/, {}, []],
  [
    'an operator that is another',
    'api',
    /verify$/,
    { request: ({ body }) => ({ body: body.replaceAll('"<="', '"<"') }) },
    ['compares dates by all five operators'],
  ],
  [
    'a 404 that is a success',
    'api',
    /^7/,
    { answer: ({ status }) => (status === 404 ? { status: 204, body: '' } : {}) },
    ['DELETE /v1/subscriptions/{uuid}: 404, subscription not found', 'DELETE /v1/topics/{uuid}: 404, topic not found'],
  ],
  [
    'an Error object that is announced as text',
    'api',
    /^2\.[26]/,
    {
      answer: ({ status, headers }) => (status >= 400 ? { headers: { ...headers, 'content-type': 'text/plain' } } : {}),
    },
    ['has a code, a 32-bit integer, and a message, text', 'a code means the same everywhere'],
  ],
  [
    'a scope that nobody asks for',
    'api',
    /^(5|2\.6)/,
    { answer: ({ status }, { path }) => (status === 403 && path.endsWith('/publish') ? { status: 400 } : {}) },
    ['POST /v1/topics/{id}/publish requires notif.topic.publish, and nothing else'],
  ],
  [
    'a number in place of the new UIN’s text',
    'api',
    /^4\.1 POST \/v1\/uin/,
    {
      answer: ({ status, body }, { path }) =>
        status === 200 && path === '/v1/uin' ? { body: body.replaceAll('"', '') } : {},
    },
    ['answers 200 and one JSON value, the new UIN'],
  ],
  [
    'a delivery without topic-id',
    'receiver',
    /^2\.7 (Delivery|Event)/,
    { request: ({ headers }) => ({ headers: withoutHeader('topic-id')(headers) }) },
    [
      'of a confirmation: message-type, message-id, topic-id, subscription-id',
      'of an event: message-type, message-id, topic-id, subscription-id',
    ],
  ],
  [
    'an event that is written anew',
    'receiver',
    /^2\.7 (Event|Delivery)/,
    {
      request: ({ headers, body }) =>
        headers['message-type'] === 'Notification' && body.startsWith('{')
          ? { body: JSON.stringify(JSON.parse(body)) }
          : {},
    },
    ['the body is the event as it was published, byte for byte'],
  ],
  [
    'a delivery that comes twice',
    'receiver',
    /^4\.4/,
    { again: ({ status }, { headers }) => status < 300 && headers['message-type'] === 'Notification' },
    ['200 is received: the event does not come again', 'so is any other 2xx'],
  ],
  [
    'a retry that comes too early',
    'receiver',
    /^8/,
    { again: ({ status }) => status >= 500 },
    ['no retry comes before countdown seconds', 'after max retries it is not sent again', 'max 0 is one attempt'],
  ],
  [
    'a page that does not name all that is asked for',
    'api',
    /^our page: mail/,
    { answer: ({ body }, { path }) => (path.startsWith('/v1/confirm?') ? { body: body.replace('census', '') } : {}) },
    ['the mail that asks to confirm names the event types asked for and leads to the page, which names all'],
  ],
  ['nothing in an envelope', 'receiver', /^our page: envelope/, { request: enveloped({}) }, []],
  [
    'an envelope whose subject is missing where none was given',
    'receiver',
    /^(our page: envelope|2\.7 Delivery)/,
    { request: enveloped({ subject: undefined }) },
    ['the event is text in OSIA’s Message object, whose subject is always there'],
  ],
  [
    'an eleventh test event in an hour that is refused without a time',
    'api',
    /^our page: subscribing/,
    { answer: ({ status, headers }) => (status === 429 ? { headers: withoutHeader('retry-after')(headers) } : {}) },
    ['ten test events in a clock hour, then 429 that says when'],
  ],
])('it finds %s', { timeout: 240_000 }, async (_what, side, sections, fault, failures) => {
  expect(await failuresWith(fault, side, sections)).toEqual(failures);
});

test.each<[fault: Fault, status: number]>([
  [{}, 0],
  [{ answer: () => ({ status: 500 }) }, 1],
])('the command line ends with 1 when a sentence does not hold: %j', async (fault, status) => {
  const spoiler = await startSpoiler(() => outputs.baseUrl, fault);
  const command = `curl -s -u me:secret -d grant_type=client_credentials -d "scope=$SCOPES" ${outputs.tokenUrl}`;
  const args = [spoiler.url, '--token-command', command, '--only', '2.6 Topic', '--json'];
  const run = promisify(execFile)(process.execPath, ['test/conformance/main.ts', ...args]);
  const { code = 0, stdout } = (await run.catch((error: { code: number; stdout: string }) => error)) as {
    code?: number;
    stdout: string;
  };
  expect([code, JSON.parse(stdout).failed]).toEqual([status, status]);
  spoiler.stop();
});
