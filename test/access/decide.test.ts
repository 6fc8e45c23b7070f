import { describe, expect, it } from 'vitest';
import { callerOf, clientOf, decide, principalOf } from '../../shared/access/decide.ts';
import { listSubscriptions } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';

const iss = 'https://issuer.example.org';

describe('the caller of a token', () => {
  it('is the issuer and the one claim that is named', () => {
    expect(callerOf({ iss, client_id: 'registry' }, 'client_id')).toBe(`${iss} registry`);
    expect(callerOf({ iss, azp: 'registry', client_id: 'other' }, 'azp')).toBe(`${iss} registry`);
    expect(callerOf({ iss, azp: 7 }, 'azp')).toBe(`${iss} 7`);
    expect(callerOf({ iss: 'https://another.example', azp: '7' }, 'azp')).not.toBe(callerOf({ iss, azp: '7' }, 'azp'));
  });

  it.each([
    ['another claim', { azp: 'registry', sub: 'registry', cid: 'registry' }],
    ['a claim that is empty', { client_id: '' }],
    ['a claim that is no text', { client_id: ['registry'] }],
    ['nothing', {}],
  ])('is nobody by %s', (_what, claims) => {
    expect(callerOf({ iss, ...claims }, 'client_id')).toBe('');
  });

  it('is nobody by what every object has', () => {
    expect(callerOf({ iss }, 'constructor')).toBe('');
  });

  it('is logged by its subject where the claim is missing', () => {
    expect(principalOf({ iss, sub: 'someone' }, 'client_id')).toBe('someone');
    expect(principalOf({ iss, sub: 'someone', client_id: 'registry' }, 'client_id')).toBe('registry');
    expect(principalOf({ iss }, 'client_id')).toBe('');
  });
});

describe('the client whose limits count', () => {
  it('is the caller, or else the subject, which no caller can be', () => {
    expect(clientOf({ iss, client_id: 'registry', sub: 'someone' }, 'client_id')).toBe(`${iss} registry`);
    const subject = clientOf({ iss, sub: 'registry' }, 'client_id');
    expect(subject).not.toBe(clientOf({ iss, client_id: 'registry' }, 'client_id'));
    expect(subject).not.toBe(clientOf({ iss, sub: 'someone' }, 'client_id'));
    expect(subject).not.toBe(clientOf({ iss: 'https://another.example', sub: 'registry' }, 'client_id'));
    expect(clientOf({ iss, aud: 'registry' }, 'client_id')).toBe('');
  });
});

describe('the scope of admins', () => {
  const asked = (...scopes: string[]) => {
    const who = { principal: 'p', caller: 'c', client: 'c', callerClaim: 'client_id' };
    const methodArn = 'arn:aws:execute-api:region:account:api/v1/GET/subscriptions';
    const { policyDocument, context } = decide({ route: listSubscriptions, scopes, ...who, methodArn });
    const [statement] = [policyDocument.Statement].flat();
    return [statement?.Effect, context?.isAdmin];
  };

  it('is told to the function, and allows nothing by itself', () => {
    expect(asked('notif.sub.read')).toEqual(['Allow', false]);
    expect(asked('notif.sub.read', 'notif.admin')).toEqual(['Allow', true]);
    expect(asked('notif.admin')).toEqual(['Deny', true]);
  });
});
