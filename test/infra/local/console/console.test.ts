import { expect, test } from 'vitest';
import { createConsole } from '../../../../infra/local/console/console.ts';
import type { StackEvent } from '../../../../infra/local/console/events.ts';
import { createPaint } from '../../../../infra/local/console/terminal.ts';

const plain = createPaint({ isTTY: false }, {});
const show = (event: StackEvent, paint = plain) => createConsole(paint)(event, new Date('2026-11-21T15:45:19.102Z'));
/** Returns the line without its time. */
const text = (event: StackEvent) => show(event)?.replace('15:45:19.102  ', '');

const request = (given: Partial<StackEvent & { kind: 'request' }> = {}): StackEvent => ({
  ...{ kind: 'request', method: 'GET', path: '/v1/persons/{uin}', status: 200, milliseconds: 34, requestId: 'r-1' },
  ...given,
});
const log = (message: unknown, level = 'INFO', functionName = 'deliverByHttp'): StackEvent => ({
  ...{ kind: 'log', functionName },
  line: JSON.stringify({ level, requestId: 'lambda-1', message }),
});
const failure = (errorType: string, errorMessage: string, trace: string[] = []): StackEvent => ({
  ...{ kind: 'failure', functionName: 'sweep' },
  failure: { errorType, errorMessage, trace },
});
const performed = (count: number) =>
  log({ message: 'performed', job: 'sweep', resumed: count, expired: 0 }, 'INFO', 'sweep');

test('the console prints nothing for metrics, idle jobs, and log lines that repeat the line about a request', () => {
  const line = '{"_aws":{"Timestamp":1,"CloudWatchMetrics":[]},"Function":"sweep","OldestDue":2}';
  expect(show({ kind: 'metrics', functionName: 'sweep', line })).toBeUndefined();
  expect(show(performed(0))).toBeUndefined();
  for (const message of ['answered', 'refused']) {
    expect(show(log({ message, operation: 'readPerson', requestId: 'r-1', status: 200 }))).toBeUndefined();
  }
  // The authorizer logs a failure when it receives an unknown token.
  expect(show(failure('Error', 'Unauthorized', ['Error: Unauthorized', '    at handler (x:1:1)']))).toBeUndefined();
});

test.each([
  [request(), '200  34 ms  request r-1'],
  [request({ status: 401, code: 1401 }), '401  34 ms  unauthenticated  request r-1'],
  [request({ status: 404, code: 1040 }), '404  34 ms  unknownPerson  request r-1'],
  [request({ status: 500, code: 4711 }), '500  34 ms  request r-1'],
  [request({ status: undefined }), 'left  34 ms  request r-1'],
])('the line about a request shows the time, the path template, the status and the client error: %j', (event, end) => {
  expect(show(event)).toBe(`15:45:19.102  GET /v1/persons/{uin}  ${end}`);
});

test('the line about a request hides an unknown path because the path may contain personal data', () => {
  expect(show(request({ path: undefined, status: 404, code: 1404 }))).toContain('  GET no such route  404  ');
});

test.each<[string, object, string]>([
  ['attempted', { class: 'delivered', status: 200, attempt: 0, milliseconds: 24 }, 'delivered 200  24 ms  attempt 1'],
  ['attempted', { class: 'tls', code: 'EPROTO', attempt: 0, milliseconds: 9 }, 'failed: tls EPROTO  9 ms  attempt 1'],
  ['attempted', { class: 'timeout', attempt: 3, milliseconds: 5000 }, 'failed: timeout  5000 ms  attempt 4'],
  ['delivery failed', { class: 'http', status: 503 }, 'delivery failed http 503'],
])('the line about a delivery shows its outcome: %s %j', (message, fields, words) => {
  const event = log({ message, messageId: 'm-1', subscription: 's-1', ...fields }, 'DEBUG');
  expect(text(event)).toBe(`deliverByHttp  ${words}  message m-1  subscription s-1`);
});

test('the line about an error shows IDs and stack frames but no bundle hash', () => {
  const fields = { message: 'failed', record: 'q-1', error: 'TypeError', bundle: 'b-1' };
  const at = 'at m (a.mjs:2:10) < at n (a.mjs:3:1)';
  const frames = '\n    at m (a.mjs:2:10)\n    at n (a.mjs:3:1)';
  expect(text(log({ ...fields, at }, 'ERROR'))).toBe(`deliverByHttp  failed  TypeError  record q-1${frames}`);
});

test("the line of an error shows the project's nearest stack frames, and those of packages only if the project has none", () => {
  const own = Array.from({ length: 6 }, (_, index) => `at own${index} (shared/a.ts:${index + 1}:1)`);
  const foreign = ['at send (node_modules/sdk/b.js:1:1)'];
  const shown = (at: readonly string[]) => show(log({ message: 'failed', at: at.join(' < ') }, 'ERROR'))?.split('\n');
  expect(shown([...foreign, ...own])?.slice(1)).toEqual(own.slice(0, 4).map((place) => `    ${place}`));
  expect(shown(foreign)?.slice(1)).toEqual(foreign.map((place) => `    ${place}`));
});

const internal = { error: 'missingBody', reason: 'the body is not stored', messageId: 'm-1', cause: 'TypeError' };
const timedOut = 'RequestId: 1 Error: Task timed out after 1.00 seconds';
const rejected = { reason: 'expired', keyId: 'k-1', claimedIssuer: 'https://a.example' };

test.each([
  [
    log({ message: 'failed', record: 'q-1', ...internal, at: '' }, 'ERROR'),
    'deliverByHttp  failed  missingBody  the body is not stored  record q-1  message m-1  cause TypeError',
  ],
  [failure('InternalError', 'emptyBatch: no records'), 'sweep  failed  InternalError  emptyBatch: no records'],
  [failure('Sandbox.Timedout', timedOut), `sweep  failed  Sandbox.Timedout  ${timedOut}`],
  // Error messages of functions can contain personal data.
  [
    failure('TypeError', 'Ada\n    at Z', ['TypeError: Ada', '    at Z', '    at m (a.mjs:2:10)']),
    'sweep  failed  TypeError\n    at m (a.mjs:2:10)',
  ],
  [
    log({ message: 'token rejected', operation: 'authorize', requestId: 'r-1', ...rejected }, 'INFO', 'authorize'),
    'authorize  token rejected (expired)  request r-1  keyId k-1  claimedIssuer https://a.example',
  ],
  [performed(2), 'sweep  performed  resumed 2  expired 0'],
  [log('just words'), 'deliverByHttp  just words'],
  [{ kind: 'log', functionName: 'deliverByHttp', line: 'no JSON {' } satisfies StackEvent, 'deliverByHttp  no JSON {'],
  [{ kind: 'log', functionName: 'deliverByHttp', line: '7' } satisfies StackEvent, 'deliverByHttp  7'],
])('the console prints %j as one line', (event, line) => {
  expect(text(event)).toBe(line);
});

test('the console uses colours only on a terminal, and not if NO_COLOR is set', () => {
  const colour = '\u001b[';
  expect(show(request({ status: 500 }), createPaint({ isTTY: true }, {}))).toContain(`${colour}31m500`);
  expect(show(request(), createPaint({ isTTY: true }, {}))).toContain(`${colour}32m200`);
  expect(show(request(), createPaint({ isTTY: true }, { NO_COLOR: '1' }))).not.toContain(colour);
  expect(show(request())).not.toContain(colour);
});
