import { expect, it } from 'vitest';
import { createHeard } from '../../../../infra/local/console/page/activity.ts';
import { publishEvent } from '../../../../shared/contract/endpoints/topics.ts';
import { deliveryAttempted, deliveryFailed } from '../../../../shared/contract/log-lines.ts';

const at = new Date('2026-11-20T08:00:00Z');
const { method, path } = publishEvent;
const publishing = { kind: 'request', method, path, milliseconds: 1, requestId: 'r' } as const;

const logged = (message: object, functionName = 'deliverByHttp') =>
  ({ kind: 'log', functionName, line: JSON.stringify({ level: 'DEBUG', message }) }) as const;
const attempt = (fields: object) =>
  logged({ message: deliveryAttempted, messageId: 'm', subscription: 's', attempt: 0, class: 'delivered', ...fields });

it('counts what was published, was delivered and has failed since the start', () => {
  const heard = createHeard(() => at);
  heard.hear({ ...publishing, status: 200 });
  heard.hear({ ...publishing, status: 400 });
  heard.hear({ ...publishing, path: '/v1/topics', status: 200 });
  heard.hear(attempt({ status: 200 }));
  heard.hear(attempt({ class: 'timeout' }));
  heard.hear(logged({ message: deliveryFailed, messageId: 'm' }));
  heard.hear(logged({ message: 'performed' }));
  expect(heard.figures()).toEqual({ since: at.toISOString(), published: 1, delivered: 1, failed: 1 });
  expect(heard.tallyOf('m')).toEqual({ delivered: 1, failedTries: 1 });
  expect(heard.tallyOf('another')).toEqual({ delivered: 0, failedTries: 0 });
});

it('tells of the latest fifty attempts, the newest first, and of requests to confirm as what they are', () => {
  const heard = createHeard(() => at);
  for (let ordinal = 1; ordinal <= 60; ordinal++) {
    heard.hear(attempt({ attempt: ordinal - 1, class: 'http', status: 500, milliseconds: 7 }));
  }
  heard.hear({ ...attempt({ status: 200 }), functionName: 'askByHttp' });
  const [confirmation, newest, ...others] = heard.attempts();
  expect(confirmation).toMatchObject({ class: 'delivered', isConfirmation: true });
  expect(newest).toEqual({
    at: at.toISOString(),
    messageId: 'm',
    subscription: 's',
    ordinal: 60,
    class: 'http',
    status: 500,
    durationMs: 7,
    isConfirmation: false,
  });
  expect(others).toHaveLength(48);
  expect(heard.figures().delivered).toBe(0);
});

it('forgets what it counted of messages that a thousand others followed', () => {
  const heard = createHeard(() => at);
  for (let index = 0; index <= 1000; index++) heard.hear(attempt({ messageId: `m${index}` }));
  expect(heard.tallyOf('m0').delivered).toBe(0);
  expect(heard.tallyOf('m1').delivered).toBe(1);
  expect(heard.figures().delivered).toBe(1001);
});

it('takes any line, also one that is no JSON', () => {
  const heard = createHeard(() => at);
  const before = heard.revision();
  heard.hear({ kind: 'log', functionName: 'x', line: 'hello' });
  heard.hear({ kind: 'log', functionName: 'x', line: '{"message":null}' });
  expect(heard.revision()).not.toBe(before);
  expect(heard.figures()).toMatchObject({ published: 0, delivered: 0, failed: 0 });
});
