import { verify } from '../../../shared/receiver/verify.ts';
import { expectError, expectSuccess } from '../client.ts';
import { unique } from '../deployment.ts';
import { equal, requirementsOf } from '../requirement.ts';

export const journeySection = 'client journey';

/** The most common use of a deployment, from registration to unsubscribing. `npm run smoke` runs this check first. */
export const journey = requirementsOf(journeySection, {
  'a person can be registered, found, read, matched and verified': async ({ newPerson, call }) => {
    const lastName = unique('Conformance');
    const uin = await newPerson({ firstName: 'Inés', lastName, dateOfBirth: '2024-02-29' });
    equal('found', expectSuccess(await call('GET', '/v1/persons', { query: { lastName, firstName: 'ines' } })), [uin]);
    const query = { attributeNames: ['firstName', 'dateOfBirth'] };
    const read = expectSuccess(await call('GET', `/v1/persons/${uin}`, { query }));
    equal('read', read, { firstName: 'Inés', dateOfBirth: '2024-02-29' });
    const body = { lastName, firstName: 'Ana' };
    const match = expectSuccess(await call('POST', `/v1/persons/${uin}/match`, { body }));
    equal('matched', match, [{ attributeName: 'firstName', errorCode: 1 }]);
    const expressions = [{ attributeName: 'dateOfBirth', operator: '<', value: '2024-03-01' }];
    equal('verified', expectSuccess(await call('POST', `/v1/persons/${uin}/verify`, { body: expressions })), true);
  },
  'an event reaches a confirmed subscriber, who can then unsubscribe': async ({ newWebhook, newDelivery, call }) => {
    // Skips the check if no receiver is available, before the check creates anything.
    newWebhook();
    const { messageId, arrival, path } = await newDelivery('newPerson', { deliveryFormat: 'raw' });
    const { keys } = expectSuccess(await call('GET', '/v1/.well-known/jwks.json', { token: null }));
    equal('verified message-id', verify(arrival.headers, arrival.body, { keys })?.messageId, messageId);
    equal('event', JSON.parse(String(arrival.body)), { source: 'conformance', uin: '1' });
    expectSuccess(await call('DELETE', path), 204);
    void expectError(await call('GET', path), 404);
  },
  'a request without a token returns 401': async ({ call }) =>
    void expectError(await call('GET', '/v1/topics', { token: null }), 401),
});
