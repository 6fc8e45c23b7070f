import { expectError, expectSuccess } from '../client.ts';
import { unique } from '../deployment.ts';
import { ensure, equal, requirementsOf } from '../requirement.ts';

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
  'an event reaches a confirmed subscriber, who can then unsubscribe': async (deployment) => {
    const { newTopic, newSubscriber, newWebhook, publish, call } = deployment;
    // Skips the check if no receiver is available, before the check creates anything.
    newWebhook();
    const topic = await newTopic();
    const { webhook, subscription } = await newSubscriber(topic, { deliveryFormat: 'raw' });
    const event = { source: 'smoke', uin: '000000000000' };
    const messageId = await publish(topic, event, { query: { subject: 'newPerson' } });
    const [arrival] = await webhook.arrived('Notification');
    equal('message-id', arrival?.headers['message-id'], messageId);
    equal('event', JSON.parse(String(arrival?.body)), event);
    const unsubscribed = await call('DELETE', `/v1/subscriptions/${subscription.uuid}`);
    ensure(unsubscribed.status < 300, `unsubscribing returned ${unsubscribed.status}`);
    const status = await call('GET', `/v1/subscriptions/${subscription.uuid}`);
    void expectError(status, 404);
  },
  'a request without a token returns 401': async ({ call }) =>
    void expectError(await call('GET', '/v1/topics', { token: null }), 401),
});
