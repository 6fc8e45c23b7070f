import { expectError, expectSuccess } from '../client.ts';
import { unique } from '../deployment.ts';
import { ensure, equal, hasFields, isUuid, requirementsOf } from '../requirement.ts';

const subscriptionFields = {
  ...{ uuid: 'string', topic: 'string', protocol: 'string', address: 'string', policy: 'string', active: 'boolean' },
};

export const resources = [
  ...requirementsOf('2.2 Error object', {
    'an Error object has a 32-bit integer code and a string message': async ({ call }) => {
      expectError(await call('POST', '/v1/topics'), 400);
      expectError(await call('POST', '/v1/uin', { body: {} }), 400);
    },
    'requests that fail for the same reason return the same error code': async ({ call }) => {
      const codes = await Promise.all(
        ['/v1/persons/nobody', '/v1/persons/no-one'].map(
          async (path) => expectError(await call('GET', path, { query: { attributeNames: 'status' } }), 404).code,
        ),
      );
      equal('the two codes', codes[0], codes[1]);
    },
  }),
  ...requirementsOf('2.3 Matching Error object', {
    'a mismatch has an attributeName and an errorCode: 0 for a missing attribute, 1 for a different value': async ({
      newPerson,
      call,
    }) => {
      const uin = await newPerson({ firstName: 'Ada' });
      const body = { firstName: 'Ida', status: 'dead' };
      const errors = expectSuccess(await call('POST', `/v1/persons/${uin}/match`, { body }));
      equal('the result', errors, [
        { attributeName: 'firstName', errorCode: 1 },
        { attributeName: 'status', errorCode: 0 },
      ]);
    },
  }),
  ...requirementsOf('2.4 Expression object', {
    'an expression requires attributeName, operator and value': async ({ newPerson, call }) => {
      const whole = { attributeName: 'gender', operator: '=', value: 1 };
      const path = `/v1/persons/${await newPerson({ gender: 1 })}/verify`;
      for (const name of Object.keys(whole)) {
        const body = [Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name))];
        expectError(await call('POST', path, { body }), 400);
      }
    },
    'the operator of an expression must be one of < > = >= <=': async ({ newPerson, call }) => {
      const path = `/v1/persons/${await newPerson({ gender: 1 })}/verify`;
      const verify = (operator: string) =>
        call('POST', path, { body: [{ attributeName: 'gender', operator, value: 1 }] });
      for (const operator of ['<', '>', '=', '>=', '<=']) expectSuccess(await verify(operator));
      for (const operator of ['==', '!=', '=>', 'eq', '']) expectError(await verify(operator), 400);
    },
    'the value of an expression must be a string, an integer or a boolean': async ({ newPerson, call }) => {
      const path = `/v1/persons/${await newPerson({ gender: 1 })}/verify`;
      const verify = (value: unknown) =>
        call('POST', path, { body: [{ attributeName: 'gender', operator: '=', value }] });
      for (const value of ['1', 1, true]) expectSuccess(await verify(value));
      for (const value of [null, 1.5, [1], {}]) expectError(await verify(value), 400);
    },
  }),
  ...requirementsOf('2.5 Subscription', {
    'a subscription has the fields uuid, topic, protocol, address, policy and active': async (deployment) => {
      const topic = await deployment.newTopic();
      const { address } = deployment.newWebhook();
      const made = await deployment.subscribe(topic, address, { policy: '60,3' });
      hasFields('Subscription', made, subscriptionFields);
      const values = [made.topic, made.protocol, made.address, made.policy];
      equal('topic, protocol, address and policy', values, [topic.name, 'http', address, '60,3']);
    },
    'uuid identifies exactly one subscription in the list': async ({ newTopic, newWebhook, subscribe, call }) => {
      const { uuid } = await subscribe(await newTopic(), newWebhook().address);
      ensure(isUuid(uuid), `${uuid} is not a UUID`);
      const list: { uuid: string }[] = expectSuccess(await call('GET', '/v1/subscriptions'));
      equal('number of entries with this UUID', list.filter((one) => one.uuid === uuid).length, 1);
    },
    'the protocol of a subscription must be http or email': async ({ newTopic, call }) => {
      const topic = (await newTopic()).name;
      for (const protocol of ['https', 'sms', 'HTTP']) {
        const query = { topic, protocol, address: 'https://receiver.example.org/' };
        expectError(await call('POST', '/v1/subscriptions', { query }), 400);
      }
    },
  }),
  ...requirementsOf('2.6 Topic', {
    'a topic has a uuid and a name': async ({ newTopic }) => {
      const name = unique('conformance é 100 %');
      const topic = await newTopic(name);
      hasFields('Topic', topic, { uuid: 'string', name: 'string' });
      equal('name', topic.name, name);
      ensure(isUuid(topic.uuid), `${topic.uuid} is not a UUID`);
    },
  }),
];
