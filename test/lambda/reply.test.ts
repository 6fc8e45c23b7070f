import { expect, it } from 'vitest';
import { publishKeys } from '../../shared/contract/endpoints/access-endpoints.ts';
import { showConfirmation } from '../../shared/contract/endpoints/pages-endpoints.ts';
import { listSubscriptions, unsubscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { createTopic } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { ClientError, type ClientErrorName, clientErrors } from '../../shared/domain/client-errors.ts';
import { writeClientError, writeInternalError, writeReply } from '../../shared/lambda/reply.ts';
import { asPage } from '../../shared/lambda/serve-page.ts';
import { style } from '../../shared/presentation/pages/page.ts';
import { aSubscription, aTopic } from '../harness/builders.ts';
import { aPageFrame } from '../harness/mail-frames.ts';

it('writeReply returns only declared fields', () => {
  const reply = writeReply(createTopic, { status: 200, body: aTopic({ name: 'CR' }) });
  expect(Object.keys(JSON.parse(reply.body))).toEqual(['uuid', 'name']);
});

it('writeReply returns only the declared fields of list rows', () => {
  const body = [{ ...aSubscription(), topic: 'CR', policy: '3,10', active: true }];
  const rows = JSON.parse(writeReply(listSubscriptions, { status: 200, body }).body);
  const fields = Object.keys(rows[0]).toSorted().join(' ');
  expect(fields).toBe('active address policy protocol subjects topic uuid');
});

it("writeReply returns JSON with the handler's headers, and forbids caching", () => {
  const reply = writeReply(listSubscriptions, { status: 200, body: [], headers: { link: '<?cursor=1>' } });
  expect(reply).toEqual({
    statusCode: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      link: '<?cursor=1>',
    },
    body: '[]',
  });
});

it('writeReply returns an empty body without a Content-Type if the reply declares no body', () => {
  const reply = writeReply(unsubscribe, { status: 204, body: 'not this' });
  expect(reply).toMatchObject({ statusCode: 204, body: '' });
  // API Gateway sends no Content-Type header if its value is `null`.
  expect(reply.headers).toHaveProperty('content-type', null);
});

it('writeReply throws an internal error for an undeclared or missing header', () => {
  const own = { status: 200, body: aTopic({ name: 'CR' }), headers: { link: '<?cursor=1>' } };
  expect(() => writeReply(createTopic, own)).toThrow('link');
  expect(() => writeReply(publishKeys, { status: 200, body: { keys: [] } })).toThrow('cache-control');
});

it('writeReply throws an internal error for an undeclared status or body', () => {
  expect(() => writeReply(unsubscribe, { status: 200, body: {} })).toThrow(/undeclaredStatus: .*answeredStatus 200/);
  expect(() => writeReply(createTopic, { status: 200, body: { uuid: 'u' } })).toThrow();
});

it.each(Object.keys(clientErrors) as ClientErrorName[])(
  'the response for %s is an Error object with its code',
  (name) => {
    const reply = writeClientError(new ClientError(name, 'mend it so'));
    expect(reply.statusCode).toBe(clientErrors[name].status);
    expect(JSON.parse(reply.body)).toEqual({ code: clientErrors[name].code, message: 'mend it so' });
    expect(reply.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  },
);

it('the response for an internal error is an Error object with the request ID', () => {
  const reply = writeInternalError('request-1');
  expect(reply.statusCode).toBe(500);
  expect(JSON.parse(reply.body)).toEqual({ code: 1500, message: expect.stringContaining('request-1') });
});

const headers = {
  'content-language': 'en',
  vary: 'Accept-Language',
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; style-src ${style.source}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
};

it('a page is sent unchanged, with headers that forbid caching, indexing and framing', () => {
  const reply = writeReply(showConfirmation, { status: 200, body: '<!doctype html>' }, asPage(aPageFrame()));
  expect(reply).toEqual({ statusCode: 200, headers, body: '<!doctype html>' });
});

it('an error page shows the escaped message of a client error', () => {
  const reply = writeClientError(new ClientError('invalidToken', 'ask <again>'), asPage(aPageFrame()));
  expect([reply.statusCode, reply.headers]).toEqual([400, headers]);
  expect(reply.body).toContain('<p>ask &lt;again&gt;</p>');
});

it('an error page shows the request ID after an internal error', () => {
  const reply = writeInternalError('request-1', asPage(aPageFrame()));
  expect([reply.statusCode, reply.headers]).toEqual([500, headers]);
  expect(reply.body).toContain('request-1');
});
