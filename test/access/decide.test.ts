import { describe, expect, it } from 'vitest';
import { callerOf, clientOf, decide, principalOf, scopesOf } from '../../shared/access/decide.ts';
import { listSubscriptions } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';

const iss = 'https://issuer.example.org';

describe('callerOf', () => {
  it('callerOf joins the issuer and the value of the named claim', () => {
    expect(callerOf({ iss, client_id: 'registry' }, 'client_id')).toBe(`${iss} registry`);
    expect(callerOf({ iss, azp: 'registry', client_id: 'other' }, 'azp')).toBe(`${iss} registry`);
    expect(callerOf({ iss, azp: 7 }, 'azp')).toBe(`${iss} 7`);
    expect(callerOf({ iss: 'https://another.example', azp: '7' }, 'azp')).not.toBe(callerOf({ iss, azp: '7' }, 'azp'));
  });

  it.each([
    ['other claims', { azp: 'registry', sub: 'registry', cid: 'registry' }],
    ['an empty claim', { client_id: '' }],
    ['a claim that is not a string', { client_id: ['registry'] }],
    ['no claims', {}],
  ])('callerOf returns an empty string for a token with %s', (_what, claims) => {
    expect(callerOf({ iss, ...claims }, 'client_id')).toBe('');
  });

  it('callerOf returns an empty string for a missing claim, even if the claim has the name of a built-in property such as `constructor`', () => {
    expect(callerOf({ iss }, 'constructor')).toBe('');
  });

  it('unlike callerOf, principalOf returns the subject if the claim is missing', () => {
    expect(principalOf({ iss, sub: 'someone' }, 'client_id')).toBe('someone');
    expect(principalOf({ iss, sub: 'someone', client_id: 'registry' }, 'client_id')).toBe('registry');
    expect(principalOf({ iss }, 'client_id')).toBe('');
  });
});

describe('clientOf', () => {
  it('principalOf returns the caller, or else the subject in a form that never equals a caller', () => {
    expect(clientOf({ iss, client_id: 'registry', sub: 'someone' }, 'client_id')).toBe(`${iss} registry`);
    const subject = clientOf({ iss, sub: 'registry' }, 'client_id');
    expect(subject).not.toBe(clientOf({ iss, client_id: 'registry' }, 'client_id'));
    expect(subject).not.toBe(clientOf({ iss, sub: 'someone' }, 'client_id'));
    expect(subject).not.toBe(clientOf({ iss: 'https://another.example', sub: 'registry' }, 'client_id'));
    expect(clientOf({ iss, aud: 'registry' }, 'client_id')).toBe('');
  });
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
