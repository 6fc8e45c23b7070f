import { describe, expect, test } from 'vitest';
import { createConsole } from '../../../../infra/local/console/console.ts';
import type { StackEvent } from '../../../../infra/local/console/events.ts';
import { createPaint } from '../../../../infra/local/console/terminal.ts';

const at = new Date('2026-11-21T15:45:19.102Z');
const plain = createPaint({ isTTY: false }, {});
const show = (event: StackEvent, paint = plain) => createConsole(paint)(event, at);

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

test('the console prints no line for metrics', () => {
  const line = '{"_aws":{"Timestamp":1,"CloudWatchMetrics":[]},"Function":"sweep","OldestDue":2}';
  expect(show({ kind: 'metrics', functionName: 'sweep', line })).toBeUndefined();
});

describe('a request line', () => {
  test('a request line shows the time, the path template, the status, the duration and the request id', () => {
    expect(show(request())).toBe('15:45:19.102  GET /v1/persons/{uin}  200  34 ms  request r-1');
  });

  test.each([
    [request({ status: 401, code: 1401 }), '401  34 ms  unauthenticated  request r-1'],
    [request({ status: 404, code: 1040 }), '404  34 ms  unknownPerson  request r-1'],
    [request({ status: 500, code: 4711 }), '500  34 ms  request r-1'],
    [request({ status: undefined }), 'left  34 ms  request r-1'],
  ])('a request line shows the status of %j, and the client error if there is one', (event, end) => {
    expect(show(event)).toBe(`15:45:19.102  GET /v1/persons/{uin}  ${end}`);
  });

  test('a request line hides an unknown path, because the path may contain personal data', () => {
    expect(show(request({ path: undefined, status: 404, code: 1404 }))).toContain('  GET no such route  404  ');
  });

  test("a request line replaces the function's own log lines about the request", () => {
    for (const message of ['answered', 'refused']) {
      expect(show(log({ message, operation: 'readPerson', requestId: 'r-1', status: 200 }))).toBeUndefined();
    }
  });

  test("a request line replaces the authorizer's logged failure for an unknown token", () => {
    expect(show(failure('Error', 'Unauthorized', ['Error: Unauthorized', '    at handler (x:1:1)']))).toBeUndefined();
  });
});

describe('a delivery line', () => {
  const ids = { messageId: 'm-1', subscription: 's-1' };

  test.each([
    [{ class: 'delivered', status: 200, attempt: 0, milliseconds: 24 }, 'delivered 200  24 ms  attempt 1'],
    [
      { class: 'tls', code: 'CERT_HAS_EXPIRED', attempt: 0, milliseconds: 9 },
      'failed: tls CERT_HAS_EXPIRED  9 ms  attempt 1',
    ],
    [{ class: 'timeout', attempt: 3, milliseconds: 5000 }, 'failed: timeout  5000 ms  attempt 4'],
    [{ class: 'http', status: 503, attempt: 1, milliseconds: 9 }, 'failed: http 503  9 ms  attempt 2'],
  ])('a delivery line shows the attempt %j', (fields, words) => {
    expect(show(log({ message: 'attempted', ...ids, ...fields }, 'DEBUG'))).toBe(
      `15:45:19.102  deliverByHttp  ${words}  message m-1  subscription s-1`,
    );
  });

  test('a delivery line shows a permanent failure', () => {
    expect(show(log({ message: 'delivery failed', ...ids, class: 'http', status: 503 }))).toBe(
      '15:45:19.102  deliverByHttp  delivery failed http 503  message m-1  subscription s-1',
    );
  });
});

describe('an error line', () => {
  test('an error line shows ids and stack frames, but no bundle hash', () => {
    const event = log(
      {
        message: 'failed',
        record: 'q-1',
        error: 'TypeError',
        bundle: 'b-1',
        at: 'at m (a.mjs:2:10) < at n (a.mjs:3:1)',
      },
      'ERROR',
    );
    expect(show(event)).toBe(
      '15:45:19.102  deliverByHttp  failed  TypeError  record q-1\n    at m (a.mjs:2:10)\n    at n (a.mjs:3:1)',
    );
  });

  test("an error line shows the project's nearest stack frames, and those of packages only if the project has none", () => {
    const own = Array.from({ length: 6 }, (_, index) => `at own${index} (shared/a.ts:${index + 1}:1)`);
    const foreign = ['at send (node_modules/sdk/b.js:1:1)'];
    const shown = (at: readonly string[]) => show(log({ message: 'failed', at: at.join(' < ') }, 'ERROR'))?.split('\n');
    expect(shown([...foreign, ...own])?.slice(1)).toEqual(own.slice(0, 4).map((place) => `    ${place}`));
    expect(shown(foreign)?.slice(1)).toEqual(foreign.map((place) => `    ${place}`));
  });

  test('an error line explains an internal error with the text from the catalogue', () => {
    const fields = { error: 'missingBody', reason: 'the body is not stored', messageId: 'm-1', cause: 'TypeError' };
    expect(show(log({ message: 'failed', record: 'q-1', ...fields, at: '' }, 'ERROR'))).toBe(
      '15:45:19.102  deliverByHttp  failed  missingBody  the body is not stored  record q-1  message m-1  cause TypeError',
    );
    expect(show(failure('InternalError', 'emptyBatch: the batch has no records'))).toBe(
      '15:45:19.102  sweep  failed  InternalError  emptyBatch: the batch has no records',
    );
  });

  test("an error line shows error messages of the Lambda runtime, but never a function's error messages", () => {
    const message = 'RequestId: 1 Error: Task timed out after 1.00 seconds';
    expect(show(failure('Sandbox.Timedout', message))).toBe(
      `15:45:19.102  sweep  failed  Sandbox.Timedout  ${message}`,
    );
    const own = failure('TypeError', 'Ada\n    at Z', ['TypeError: Ada', '    at Z', '    at m (a.mjs:2:10)']);
    expect(show(own)).toBe('15:45:19.102  sweep  failed  TypeError\n    at m (a.mjs:2:10)');
  });
});

test('the console shows why a token was rejected', () => {
  const fields = {
    operation: 'authorize',
    requestId: 'r-1',
    reason: 'expired',
    keyId: 'k-1',
    claimedIssuer: 'https://a.example',
  };
  expect(show(log({ message: 'token rejected', ...fields }, 'INFO', 'authorize'))).toBe(
    '15:45:19.102  authorize  token rejected (expired)  request r-1  keyId k-1  claimedIssuer https://a.example',
  );
});

describe('other log lines', () => {
  test('the console shows a job run only if one of its counts is not zero', () => {
    const performed = (count: number) =>
      log({ message: 'performed', job: 'sweep', resumed: count, expired: 0 }, 'INFO', 'sweep');
    expect(show(performed(0))).toBeUndefined();
    expect(show(performed(2))).toBe('15:45:19.102  sweep  performed  resumed 2  expired 0');
  });

  test.each([
    [log('just words'), 'just words'],
    [{ kind: 'log', functionName: 'deliverByHttp', line: 'no JSON {' } satisfies StackEvent, 'no JSON {'],
    [{ kind: 'log', functionName: 'deliverByHttp', line: '7' } satisfies StackEvent, '7'],
  ])('the console shows the log line %j unchanged', (event, text) => {
    expect(show(event)).toBe(`15:45:19.102  deliverByHttp  ${text}`);
  });
});

test('the console uses colours only on a terminal, and respects NO_COLOR', () => {
  const colour = '\u001b[';
  expect(show(request({ status: 500 }), createPaint({ isTTY: true }, {}))).toContain(`${colour}31m500`);
  expect(show(request(), createPaint({ isTTY: true }, {}))).toContain(`${colour}32m200`);
  expect(show(request(), createPaint({ isTTY: true }, { NO_COLOR: '1' }))).not.toContain(colour);
  expect(show(request())).not.toContain(colour);
});
