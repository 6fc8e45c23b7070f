import { describe, expect, it } from 'vitest';
import { decide, identityOf, scopesOf } from '../../shared/access/decide.ts';
import { listSubscriptions } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';

const iss = 'https://issuer.example.org';

describe('the caller', () => {
  const callerOf = (claims: object, claim = 'client_id') => identityOf({ iss, ...claims }, claim).caller;

  it('consists of the issuer and the value of the named claim', () => {
    expect(callerOf({ client_id: 'registry' })).toBe(`${iss} registry`);
    expect(callerOf({ azp: 'registry', client_id: 'other' }, 'azp')).toBe(`${iss} registry`);
    expect(callerOf({ azp: 7 }, 'azp')).toBe(`${iss} 7`);
    expect(callerOf({ iss: 'https://another.example', azp: '7' }, 'azp')).not.toBe(callerOf({ azp: '7' }, 'azp'));
  });

  it.each([
    ['other claims', { azp: 'registry', sub: 'registry', cid: 'registry' }],
    ['an empty claim', { client_id: '' }],
    ['a claim that is not a string', { client_id: ['registry'] }],
    ['no claims', {}],
  ])('is empty for a token with %s', (_what, claims) => {
    expect(callerOf(claims)).toBe('');
  });

  it('is empty for a missing claim, even if the claim has the name of a built-in property such as `constructor`', () => {
    expect(callerOf({}, 'constructor')).toBe('');
  });
});

it('unlike the caller, the principal is the subject if the claim is missing', () => {
  expect(identityOf({ iss, sub: 'someone' }, 'client_id').principal).toBe('someone');
  expect(identityOf({ iss, sub: 'someone', client_id: 'registry' }, 'client_id').principal).toBe('registry');
  expect(identityOf({ iss }, 'client_id').principal).toBe('');
});

it('the client is the caller, or else the subject in a form that never equals a caller', () => {
  const clientOf = (claims: object) => identityOf({ iss, ...claims }, 'client_id').client;
  expect(clientOf({ client_id: 'registry', sub: 'someone' })).toBe(`${iss} registry`);
  const subject = clientOf({ sub: 'registry' });
  expect(subject).not.toBe(clientOf({ client_id: 'registry' }));
  expect(subject).not.toBe(clientOf({ sub: 'someone' }));
  expect(subject).not.toBe(clientOf({ iss: 'https://another.example', sub: 'registry' }));
  expect(clientOf({ aud: 'registry' })).toBe('');
});

it('scopesOf ignores scopes of other resource servers if a prefix is set', () => {
  const scope = 'ours/notif.topic.read evil/uin.generate notif.topic.write ours/more/pr.person.read';
  expect(scopesOf({ scope, scp: ['evil/ours/notif.sub.read'] }, 'ours')).toEqual(['notif.topic.read']);
  expect(scopesOf({ scope: 'ours/notif.topic.read notif.topic.write' })).toEqual([
    'notif.topic.read',
    'notif.topic.write',
  ]);
});

const effectAndAdmin = (...scopes: string[]) => {
  const who = { principal: 'p', caller: 'c', client: 'c', callerClaim: 'client_id' };
  const methodArn = 'arn:aws:execute-api:region:account:api/v1/GET/subscriptions';
  const { policyDocument, context } = decide({ route: listSubscriptions, scopes, ...who, methodArn });
  const [statement] = [policyDocument.Statement].flat();
  return [statement?.Effect, context?.isAdmin];
};

it('the admin scope is passed to the function, but does not allow any operation by itself', () => {
  expect(effectAndAdmin('notif.sub.read')).toEqual(['Allow', false]);
  expect(effectAndAdmin('notif.sub.read', 'notif.admin')).toEqual(['Allow', true]);
  expect(effectAndAdmin('notif.admin')).toEqual(['Deny', true]);
});
