import { refused, succeeded } from '../client.ts';
import { unique } from '../deployment.ts';
import { holds, same, sentencesOf } from '../sentence.ts';

export const journeySection = 'the journey';

/** What a deployment is for, end to end and quickly: `npm run smoke` tries these first. */
export const journey = sentencesOf(journeySection, {
  'a person is registered, found, read, matched and verified': async ({ newPerson, call }) => {
    const lastName = unique('Conformance');
    const uin = await newPerson({ firstName: 'Inés', lastName, dateOfBirth: '2024-02-29' });
    same('found', succeeded(await call('GET', '/v1/persons', { query: { lastName, firstName: 'ines' } })), [uin]);
    const query = { attributeNames: ['firstName', 'dateOfBirth'] };
    const read = succeeded(await call('GET', `/v1/persons/${uin}`, { query }));
    same('read', read, { firstName: 'Inés', dateOfBirth: '2024-02-29' });
    const body = { lastName, firstName: 'Ana' };
    const match = succeeded(await call('POST', `/v1/persons/${uin}/match`, { body }));
    same('matched', match, [{ attributeName: 'firstName', errorCode: 1 }]);
    const expressions = [{ attributeName: 'dateOfBirth', operator: '<', value: '2024-03-01' }];
    same('verified', succeeded(await call('POST', `/v1/persons/${uin}/verify`, { body: expressions })), true);
  },
  'an event reaches who has subscribed and confirmed, and nobody who has left': async (deployment) => {
    const { newTopic, newSubscriber, newLetterbox, publish, call } = deployment;
    // Before anything is made: it says what is missing.
    newLetterbox();
    const topic = await newTopic();
    const { letterbox, subscription } = await newSubscriber(topic);
    const event = { source: 'smoke', uin: '000000000000' };
    const messageId = await publish(topic, event, { query: { subject: 'newPerson' } });
    const [arrival] = await letterbox.arrived('Notification');
    same('the message-id', arrival?.headers['message-id'], messageId);
    same('the event', JSON.parse(String(arrival?.body)), event);
    const gone = await call('DELETE', `/v1/subscriptions/${subscription.uuid}`);
    holds(gone.status < 300, `leaving answers ${gone.status}`);
    const left = await call('GET', `/v1/subscriptions/${subscription.uuid}`);
    void refused(left, 404);
  },
  'whoever has no token is told so': async ({ call }) =>
    void refused(await call('GET', '/v1/topics', { token: null }), 401),
});
