import { refused, succeeded } from '../client.ts';
import { unique } from '../deployment.ts';
import { hasFields, holds, isUuid, same, sentencesOf } from '../sentence.ts';

const subscriptionFields = {
  ...{ uuid: 'string', topic: 'string', protocol: 'string', address: 'string', policy: 'string', active: 'boolean' },
};

export const resources = [
  ...sentencesOf('2.2 Error object', {
    'has a code, a 32-bit integer, and a message, text': async ({ call }) => {
      refused(await call('POST', '/v1/topics'), 400);
      refused(await call('POST', '/v1/uin', { body: {} }), 400);
    },
    'a code means the same everywhere': async ({ call }) => {
      const codes = await Promise.all(
        ['/v1/persons/nobody', '/v1/persons/no-one'].map(
          async (path) => refused(await call('GET', path, { query: { attributeNames: 'status' } }), 404).code,
        ),
      );
      same('the two codes', codes[0], codes[1]);
    },
  }),
  ...sentencesOf('2.3 Matching Error object', {
    'has attributeName and errorCode: 0, there is none; 1, it differs': async ({ newPerson, call }) => {
      const uin = await newPerson({ firstName: 'Ada' });
      const body = { firstName: 'Ida', status: 'dead' };
      const errors = succeeded(await call('POST', `/v1/persons/${uin}/match`, { body }));
      same('the answer', errors, [
        { attributeName: 'firstName', errorCode: 1 },
        { attributeName: 'status', errorCode: 0 },
      ]);
    },
  }),
  ...sentencesOf('2.4 Expression object', {
    'attributeName, operator and value are required': async ({ newPerson, call }) => {
      const whole = { attributeName: 'gender', operator: '=', value: 1 };
      const path = `/v1/persons/${await newPerson({ gender: 1 })}/verify`;
      for (const name of Object.keys(whole)) {
        const body = [Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name))];
        refused(await call('POST', path, { body }), 400);
      }
    },
    'operator is one of < > = >= <=, and nothing else': async ({ newPerson, call }) => {
      const path = `/v1/persons/${await newPerson({ gender: 1 })}/verify`;
      const verify = (operator: string) =>
        call('POST', path, { body: [{ attributeName: 'gender', operator, value: 1 }] });
      for (const operator of ['<', '>', '=', '>=', '<=']) succeeded(await verify(operator));
      for (const operator of ['==', '!=', '=>', 'eq', '']) refused(await verify(operator), 400);
    },
    'value is text, an integer or a boolean, and nothing else': async ({ newPerson, call }) => {
      const path = `/v1/persons/${await newPerson({ gender: 1 })}/verify`;
      const verify = (value: unknown) =>
        call('POST', path, { body: [{ attributeName: 'gender', operator: '=', value }] });
      for (const value of ['1', 1, true]) succeeded(await verify(value));
      for (const value of [null, 1.5, [1], {}]) refused(await verify(value), 400);
    },
  }),
  ...sentencesOf('2.5 Subscription', {
    'has uuid, topic, protocol, address, policy and active': async (deployment) => {
      const topic = await deployment.newTopic();
      const { address } = deployment.newLetterbox();
      const made = await deployment.subscribe(topic, address, { policy: '60,3' });
      hasFields('Subscription', made, subscriptionFields);
      const { topic: name, protocol, policy } = made;
      same(
        'its fields',
        { name, protocol, address: made.address, policy },
        {
          ...{ name: topic.name, protocol: 'http', address, policy: '60,3' },
        },
      );
    },
    'uuid is the ID by which it is found again': async ({ newTopic, newLetterbox, subscribe, call }) => {
      const { uuid } = await subscribe(await newTopic(), newLetterbox().address);
      holds(isUuid(uuid), `${uuid} is no UUID`);
      const list: { uuid: string }[] = succeeded(await call('GET', '/v1/subscriptions'));
      same('how often it is in the list', list.filter((one) => one.uuid === uuid).length, 1);
    },
    'protocol is http or email': async ({ newTopic, call }) => {
      const topic = (await newTopic()).name;
      for (const protocol of ['https', 'sms', 'HTTP']) {
        const query = { topic, protocol, address: 'https://receiver.example.org/' };
        refused(await call('POST', '/v1/subscriptions', { query }), 400);
      }
    },
  }),
  ...sentencesOf('2.6 Topic', {
    'has uuid and name': async ({ newTopic }) => {
      const name = unique('conformance é 100 %');
      const topic = await newTopic(name);
      hasFields('Topic', topic, { uuid: 'string', name: 'string' });
      same('its name', topic.name, name);
      holds(isUuid(topic.uuid), `${topic.uuid} is no UUID`);
    },
  }),
];
