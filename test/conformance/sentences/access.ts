import { refused } from '../client.ts';
import { type Check, holds, type Sentence, same, sentencesOf } from '../sentence.ts';
import type { Scope } from '../tokens.ts';

const id = '00000000-0000-4000-8000-000000000000';

/** Each operation with its scope, and whether the interface names it or our own pages do. */
export const operations: readonly (readonly [method: string, path: string, scope: Scope, by: 'interface' | 'us'])[] = [
  ['POST', '/v1/subscriptions', 'notif.sub.write', 'interface'],
  ['GET', '/v1/subscriptions', 'notif.sub.read', 'interface'],
  ['DELETE', `/v1/subscriptions/${id}`, 'notif.sub.write', 'interface'],
  ['GET', '/v1/subscriptions/confirm', 'notif.sub.write', 'interface'],
  ['POST', '/v1/topics', 'notif.topic.write', 'interface'],
  ['GET', '/v1/topics', 'notif.topic.read', 'interface'],
  ['DELETE', `/v1/topics/${id}`, 'notif.topic.write', 'interface'],
  ['POST', `/v1/topics/${id}/publish`, 'notif.topic.publish', 'interface'],
  ['POST', '/v1/uin', 'uin.generate', 'us'],
  ['GET', '/v1/persons', 'cr.person.read', 'us'],
  ['GET', '/v1/persons/1', 'cr.person.read', 'us'],
  ['POST', '/v1/persons/1/match', 'cr.person.match', 'us'],
  ['POST', '/v1/persons/1/verify', 'cr.person.verify', 'us'],
  ['GET', '/v1/persons/1/document', 'cr.document.read', 'us'],
  ['GET', `/v1/subscriptions/${id}`, 'notif.sub.read', 'us'],
  ['PATCH', `/v1/subscriptions/${id}`, 'notif.sub.write', 'us'],
  ['POST', `/v1/subscriptions/${id}/test`, 'notif.sub.write', 'us'],
  ['GET', `/v1/subscriptions/${id}/deliveries`, 'notif.sub.read', 'us'],
  ['POST', `/v1/subscriptions/${id}/deliveries/${id}/redeliver`, 'notif.sub.write', 'us'],
  ['POST', `/v1/subscriptions/${id}/recover`, 'notif.sub.write', 'us'],
];

const needs =
  (method: string, path: string, scope: Scope): Check =>
  async ({ call, token, tokenWithout }) => {
    const answer = await call(method, path, { token: await tokenWithout(scope) });
    const { message } = refused(answer, 403);
    holds(message.includes(scope), `the message does not name the scope: ${message}`);
    // Nothing else is given, so it is told what is missing, or gets a list.
    const { status } = await call(method, path, { token: await token([scope]) });
    holds([200, 400, 404].includes(status), `with ${scope} alone the answer is ${status}`);
  };

const named = (by: 'interface' | 'us'): Record<string, Check> =>
  Object.fromEntries(
    operations
      .filter((one) => one[3] === by)
      .map(([method, path, scope]) => {
        const shown = path.replaceAll(id, '{id}').replace('/1', '/{uin}');
        return [`${method} ${shown} requires ${scope}, and nothing else`, needs(method, path, scope)];
      }),
  );

const everywhere = (token: string | null, headers: Record<string, string> = {}): Check => {
  return async ({ call }) => {
    for (const [method, path] of operations) refused(await call(method, path, { token, headers }), 401);
  };
};

export const access: readonly Sentence[] = [
  ...sentencesOf('5 Authentication', {
    ...named('interface'),
    'the token comes in Authorization: Bearer, in any case': async ({ call, token }) => {
      for (const scheme of ['Bearer', 'bearer']) {
        const headers = { authorization: `${scheme} ${await token()}` };
        same(`status with ${scheme}`, (await call('GET', '/v1/topics', { token: null, headers })).status, 200);
      }
    },
    'without a token every operation is 401': everywhere(null),
    'so is what is no token': everywhere('garbage'),
    'so is another scheme': everywhere(null, { authorization: `Basic ${btoa('me:secret')}` }),
    'a token that was altered is 401': async ({ call, token }) => {
      const [head, claims, signature = ''] = (await token()).split('.');
      const altered = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      refused(await call('GET', '/v1/topics', { token: `${head}.${claims}.${altered}` }), 401);
    },
    '401 and 403 say what is expected in WWW-Authenticate': async ({ call, tokenWithout }) => {
      const without = await call('GET', '/v1/topics', { token: null });
      const narrow = await call('GET', '/v1/topics', { token: await tokenWithout('notif.topic.read') });
      const challenges = [without, narrow].map(({ headers }) => headers.get('www-authenticate') ?? '');
      holds(challenges[0]?.startsWith('Bearer') === true, `of 401 it is ${challenges[0]}`);
      holds(challenges[1]?.includes('insufficient_scope') === true, `of 403 it is ${challenges[1]}`);
    },
  }),
  ...sentencesOf('our page: scopes', named('us')),
];
