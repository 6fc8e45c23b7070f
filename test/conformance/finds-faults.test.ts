import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { findFreePort } from '../../infra/local/aws/emulators/ports.ts';
import { uniqueName } from '../harness/world.ts';
import { type Fault, startFaultyProxy } from './faulty-proxy.ts';
import { mailsOf } from './mails.ts';
import { startReceiver } from './receiver.ts';
import { requirements } from './requirements.ts';
import { checkRequirements } from './run.ts';
import { cacheTokens, fromIssuer } from './tokens.ts';

const { outputs } = inject('stack');
const token = cacheTokens(fromIssuer(outputs.tokenUrl, uniqueName('conformance')));

/**
 * Returns the requirements of the given sections that are not met if a faulty proxy is in front of the API or receiver.
 */
async function failuresWith(fault: Fault, side: 'api' | 'receiver', sections: RegExp): Promise<string[]> {
  const port = await findFreePort();
  const target = side === 'api' ? outputs.baseUrl : `http://127.0.0.1:${port}`;
  const proxy = await startFaultyProxy(() => target, fault);
  const receiver = await startReceiver(60_000, port, side === 'api' ? `http://127.0.0.1:${port}` : proxy.url);
  const baseUrl = side === 'api' ? proxy.url : outputs.baseUrl;
  const mailbox = () => `clerk@${uniqueName('conformance')}.example.org`;
  const chosen = requirements.filter(({ section }) => sections.test(section));
  const mails = mailsOf(outputs.inboxUrl, 60_000);
  const results = await checkRequirements({ baseUrl, token, receiver, mailbox, mails, document: undefined }, chosen);
  for (const one of [proxy, receiver]) one.stop();
  const having = (one: string) =>
    results.filter(({ outcome }) => outcome === one).map(({ requirement }) => requirement);
  expect(having('ok'), 'requirements that are still met').not.toEqual([]);
  return having('failed');
}

const withoutHeader = (name: string) => (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([given]) => given !== name));

/** Removes the `subject` field from the Message object if the event has no subject. */
const withoutSubject: Fault['request'] = ({ headers, body }) =>
  headers['message-type'] === 'Notification' && headers.subject === undefined
    ? { body: body.replace(',"subject":""', '') }
    : {};

test.each<[what: string, side: 'api' | 'receiver', sections: RegExp, fault: Fault, failures: readonly string[]]>([
  ['there is no fault', 'api', /^4\.1 POST/, {}, []],
  [
    'a search ignores the place of death',
    'api',
    /^4\.1 GET \/v1\/persons$/,
    { request: ({ path }) => ({ path: path.replace(/&placeOfDeath=[^&]*/, '') }) },
    ['a search by each attribute returns only the persons with the requested value'],
  ],
  [
    'the API returns 204 instead of 404',
    'api',
    /^7/,
    { reply: ({ status }) => (status === 404 ? { status: 204, body: '' } : {}) },
    [
      'DELETE /v1/subscriptions/{uuid} returns 404 for an unknown subscription',
      'DELETE /v1/topics/{uuid} returns 404 for an unknown topic',
    ],
  ],
  [
    'the API sends an Error object as text',
    'api',
    /^2\.[26]/,
    {
      reply: ({ status, headers }) => (status >= 400 ? { headers: { ...headers, 'content-type': 'text/plain' } } : {}),
    },
    [
      'an Error object has a 32-bit integer code and a string message',
      'requests that fail for the same reason return the same error code',
    ],
  ],
  [
    'the API returns 400 instead of 403 for a missing scope',
    'api',
    /^(5|2\.6)/,
    { reply: ({ status }, { path }) => (status === 403 && path.endsWith('/publish') ? { status: 400 } : {}) },
    ['POST /v1/topics/{id}/publish requires only the scope notif.topic.publish'],
  ],
  [
    'a delivery has no topic-id',
    'receiver',
    /^2\.7 (Delivery|Event)/,
    { request: ({ headers }) => ({ headers: withoutHeader('topic-id')(headers) }) },
    [
      'confirmations have the headers message-type, message-id, topic-id and subscription-id',
      'events have the headers message-type, message-id, topic-id and subscription-id',
    ],
  ],
  [
    'an event is reformatted',
    'receiver',
    /^2\.7 (Event|Delivery)/,
    {
      request: ({ headers, body }) =>
        headers['message-type'] === 'Notification' && body.startsWith('{')
          ? { body: JSON.stringify(JSON.parse(body)) }
          : {},
    },
    ['the body is identical to the published event, byte for byte'],
  ],
  [
    'a stored response has 600 bytes',
    'api',
    /^client guide: deliveries/,
    {
      reply: ({ body }) => ({
        body: body.replace('"class":"http","status":400', `$&,"response":"${'x'.repeat(600)}"`),
      }),
    },
    ['the list of deliveries shows at most 512 bytes of a failed response, and no response to a confirmation request'],
  ],
  [
    'a delivery is sent twice',
    'receiver',
    /^4\.4/,
    { isRepeated: ({ status }, { headers }) => status < 300 && headers['message-type'] === 'Notification' },
    ['after a 200 response, the event is not sent again', 'after any other 2xx response, the event is not sent again'],
  ],
  [
    'a retry is sent too early',
    'receiver',
    /^8/,
    { isRepeated: ({ status }) => status >= 500 },
    [
      'no retry is sent before the countdown ends',
      'after max retries, the event is not sent again',
      'a policy with max 0 allows only one attempt',
    ],
  ],
  [
    'a confirmation page omits a requested event type',
    'api',
    /^client guide: mail/,
    { reply: ({ body }, { path }) => (path.startsWith('/v1/confirm?') ? { body: body.replace('census', '') } : {}) },
    ['the confirmation email names the requested event types, and the linked page names every subject'],
  ],
  [
    'an envelope has no `subject` field',
    'receiver',
    /^(client guide: delivery format|2\.7 Delivery)/,
    { request: withoutSubject },
    ['in an envelope, the Message object contains the event as a string and always has a subject'],
  ],
  [
    'subscribing ignores the format',
    'api',
    /^(client guide: delivery format|2\.7 Event)/,
    { request: ({ path }) => ({ path: path.replace('deliveryFormat=envelope', 'deliveryFormat=raw') }) },
    [
      'in an envelope, the Message object contains the event as a string and always has a subject',
      'receivers with different formats receive the same event',
      'PATCH changes the delivery format, and the subscription status shows the new format',
    ],
  ],
])('the suite reports the expected failures if %s', async (_what, side, sections, fault, failures) => {
  expect(await failuresWith(fault, side, sections)).toEqual(failures);
});

test.each<[fault: Fault, status: number]>([
  [{}, 0],
  [{ reply: () => ({ status: 500 }) }, 1],
])('the command line exits with 1 only if a requirement is not met: %j', async (fault, status) => {
  const proxy = await startFaultyProxy(() => outputs.baseUrl, fault);
  const command = `curl -s -u me:secret -d grant_type=client_credentials -d "scope=$SCOPES" ${outputs.tokenUrl}`;
  const args = [proxy.url, '--token-command', command, '--only', '2.6 Topic', '--json'];
  const run = promisify(execFile)(process.execPath, ['test/conformance/main.ts', ...args]);
  const { code = 0, stdout } = (await run.catch((error: { code: number; stdout: string }) => error)) as {
    code?: number;
    stdout: string;
  };
  expect([code, JSON.parse(stdout).failed]).toEqual([status, status]);
  proxy.stop();
});
