import { expectError } from '../client.ts';
import { type Check, ensure, equal, type Requirement, requirementsOf } from '../requirement.ts';
import type { Scope } from '../tokens.ts';

const id = '00000000-0000-4000-8000-000000000000';

/** Every operation with its scope, and whether the interface or our client guide requires that scope. */
export const operations: readonly (readonly [method: string, path: string, scope: Scope, by: 'interface' | 'guide'])[] =
  [
    ['POST', '/v1/subscriptions', 'notif.sub.write', 'interface'],
    ['GET', '/v1/subscriptions', 'notif.sub.read', 'interface'],
    ['DELETE', `/v1/subscriptions/${id}`, 'notif.sub.write', 'interface'],
    ['GET', '/v1/subscriptions/confirm', 'notif.sub.write', 'interface'],
    ['POST', '/v1/topics', 'notif.topic.write', 'interface'],
    ['GET', '/v1/topics', 'notif.topic.read', 'interface'],
    ['DELETE', `/v1/topics/${id}`, 'notif.topic.write', 'interface'],
    ['POST', `/v1/topics/${id}/publish`, 'notif.topic.publish', 'interface'],
    ['POST', '/v1/uin', 'uin.generate', 'guide'],
    ['GET', '/v1/persons', 'cr.person.read', 'guide'],
    ['GET', '/v1/persons/1', 'cr.person.read', 'guide'],
    ['POST', '/v1/persons/1/match', 'cr.person.match', 'guide'],
    ['POST', '/v1/persons/1/verify', 'cr.person.verify', 'guide'],
    ['GET', '/v1/persons/1/document', 'cr.document.read', 'guide'],
    ['GET', `/v1/subscriptions/${id}`, 'notif.sub.read', 'guide'],
    ['PATCH', `/v1/subscriptions/${id}`, 'notif.sub.write', 'guide'],
    ['POST', `/v1/subscriptions/${id}/test`, 'notif.sub.write', 'guide'],
    ['GET', `/v1/subscriptions/${id}/deliveries`, 'notif.sub.read', 'guide'],
    ['POST', `/v1/subscriptions/${id}/deliveries/${id}/redeliver`, 'notif.sub.write', 'guide'],
    ['POST', `/v1/subscriptions/${id}/recover`, 'notif.sub.write', 'guide'],
  ];

const requires =
  (method: string, path: string, scope: Scope): Check =>
  async ({ call, token, tokenWithout }) => {
    const response = await call(method, path, { token: await tokenWithout(scope) });
    const { message } = expectError(response, 403);
    ensure(message.includes(scope), `the message does not name the scope: ${message}`);
    // If the token is accepted, the response is a list or a client error, because the request has no parameters.
    const { status } = await call(method, path, { token: await token([scope]) });
    ensure([200, 400, 404].includes(status), `with only ${scope}, the status is ${status}`);
  };

const checksBy = (by: 'interface' | 'guide'): Record<string, Check> =>
  Object.fromEntries(
    operations
      .filter((one) => one[3] === by)
      .map(([method, path, scope]) => {
        const shown = path.replaceAll(id, '{id}').replace('/1', '/{uin}');
        return [`${method} ${shown} requires only the scope ${scope}`, requires(method, path, scope)];
      }),
  );

const rejectsEverywhere = (token: string | null, headers: Record<string, string> = {}): Check => {
  return async ({ call }) => {
    for (const [method, path] of operations) expectError(await call(method, path, { token, headers }), 401);
  };
};

export const access: readonly Requirement[] = [
  ...requirementsOf('5 Authentication', {
    ...checksBy('interface'),
    'the scheme in the Authorization header can be Bearer or bearer': async ({ call, token }) => {
      for (const scheme of ['Bearer', 'bearer']) {
        const headers = { authorization: `${scheme} ${await token()}` };
        equal(`status with ${scheme}`, (await call('GET', '/v1/topics', { token: null, headers })).status, 200);
      }
    },
    'every operation returns 401 if the request has no token': rejectsEverywhere(null),
    'every operation returns 401 for an invalid token': rejectsEverywhere('garbage'),
    'every operation returns 401 for an authorization scheme other than Bearer': rejectsEverywhere(null, {
      authorization: `Basic ${btoa('me:secret')}`,
    }),
    'a modified token returns 401': async ({ call, token }) => {
      const [head, claims, signature = ''] = (await token()).split('.');
      const altered = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      expectError(await call('GET', '/v1/topics', { token: `${head}.${claims}.${altered}` }), 401);
    },
    '401 and 403 responses name the required credentials in the WWW-Authenticate header': async (deployment) => {
      const { call, tokenWithout } = deployment;
      const without = await call('GET', '/v1/topics', { token: null });
      const limited = await call('GET', '/v1/topics', { token: await tokenWithout('notif.topic.read') });
      const challenges = [without, limited].map(({ headers }) => headers.get('www-authenticate') ?? '');
      ensure(challenges[0]?.startsWith('Bearer') === true, `the header of 401 is ${challenges[0]}`);
      ensure(challenges[1]?.includes('insufficient_scope') === true, `the header of 403 is ${challenges[1]}`);
    },
  }),
  ...requirementsOf('client guide: scopes', checksBy('guide')),
];
