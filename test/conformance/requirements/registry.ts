import { expectError, expectSuccess } from '../client.ts';
import { unique } from '../deployment.ts';
import { ensure, equal, requirementsOf } from '../requirement.ts';

export const registry = [
  ...requirementsOf('client guide: persons', {
    'requests with the same Idempotency-Key return the same UIN only if their attributes are identical': async (
      deployment,
    ) => {
      const { call, made } = deployment;
      const headers = { 'idempotency-key': unique('key') };
      const register = async (firstName: string) =>
        expectSuccess(await call('POST', '/v1/uin', { headers, body: { firstName } }));
      const [first, repeated, other] = [await register('Ada'), await register('Ada'), await register('Ida')];
      made.persons += 2;
      equal('the repeated request', repeated, first);
      ensure(other !== first, 'different attributes returned the same UIN');
    },
    'a repeated request with the same transactionId returns the same UIN': async ({ call, made }) => {
      const query = { transactionId: unique('T') };
      const register = async () => expectSuccess(await call('POST', '/v1/uin', { query, body: { firstName: 'Ada' } }));
      const first = await register();
      made.persons++;
      equal('the repeated request', await register(), first);
    },
    'a blank string or null counts as a missing attribute': async ({ newPerson, call }) => {
      const uin = await newPerson({ firstName: 'Ada', lastName: '', status: null });
      const query = { attributeNames: ['lastName', 'status'] };
      const read = expectSuccess(await call('GET', `/v1/persons/${uin}`, { query }));
      equal('the codes', [read.lastName?.code, read.status?.code], [1023, 1023]);
    },
    'a person without attributes is not registered': async ({ call }) => {
      for (const body of [{}, { firstName: ' ' }]) expectError(await call('POST', '/v1/uin', { body }), 400);
    },
    'clients cannot choose a UIN': async ({ call }) =>
      void expectError(await call('POST', '/v1/uin', { body: { uin: '1' } }), 400),
    'a search ignores case, accents and whitespace': async ({ newPerson, call }) => {
      const word = unique('x');
      const uin = await newPerson({ lastName: `García  ${word}` });
      const found = expectSuccess(await call('GET', '/v1/persons', { query: { lastName: ` GARCIA ${word} ` } }));
      equal('found persons', found, [uin]);
    },
    'the `limit` and `offset` parameters select one page of the search results': async ({ newPerson, call }) => {
      const lastName = unique('Conformance');
      const all = [];
      for (let count = 0; count < 3; count++) all.push(await newPerson({ lastName }));
      const page = async (offset: number) =>
        expectSuccess(await call('GET', '/v1/persons', { query: { lastName, offset, limit: 2 } }));
      equal('the pages', [...(await page(0)), ...(await page(2))], all.toSorted());
    },
    'a search with the `names` parameter returns the requested attributes of each person': async (deployment) => {
      const { newPerson, call } = deployment;
      const lastName = unique('Conformance');
      await newPerson({ lastName, gender: 9 });
      const query = { lastName, names: ['lastName', 'gender'] };
      equal('the result', expectSuccess(await call('GET', '/v1/persons', { query })), [{ lastName, gender: 9 }]);
    },
    'attribute names can be separated by commas': async ({ newPerson, call }) => {
      const uin = await newPerson({ firstName: 'Ada', gender: 2 });
      const query = { attributeNames: 'firstName,gender' };
      equal('the attributes', expectSuccess(await call('GET', `/v1/persons/${uin}`, { query })), {
        firstName: 'Ada',
        gender: 2,
      });
    },
    'a byte order mark before a JSON body is ignored': async ({ call, made }) => {
      const headers = { 'content-type': 'application/json' };
      expectSuccess(await call('POST', '/v1/uin', { headers, body: '\ufeff{"firstName":"Ada"}' }));
      made.persons++;
    },
    'a request for a UIN with one wrong digit returns 404 with an error message about the check digit': async (
      deployment,
    ) => {
      const { newPerson, call } = deployment;
      const uin = await newPerson({ firstName: 'Ada' });
      const wrong = `${uin.slice(0, -2)}${(Number(uin.at(-2)) + 1) % 10}${uin.at(-1)}`;
      const response = await call('GET', `/v1/persons/${wrong}`, { query: { attributeNames: 'status' } });
      ensure(expectError(response, 404).message.includes('check digit'), `the message is ${response.text}`);
    },
  }),
  ...requirementsOf('client guide: topics and lists', {
    'requests with the same Idempotency-Key publish only one event, and return 400 if their events differ': async (
      deployment,
    ) => {
      const { newTopic, newSubscriber, publish, call } = deployment;
      const topic = await newTopic();
      const { webhook } = await newSubscriber(topic);
      const headers = { 'idempotency-key': unique('key') };
      const first = await publish(topic, 'one', { headers });
      equal('the repeated request', await publish(topic, 'one', { headers }), first);
      expectError(await call('POST', `/v1/topics/${topic.uuid}/publish`, { headers, body: 'two' }), 400);
      await publish(topic, 'last');
      await webhook.arrived('Notification', 2);
      equal('deliveries', webhook.of('Notification').length, 2);
    },
    'creating a topic returns 400 if its name looks like an ID or contains invisible characters': async ({ call }) => {
      for (const name of ['00000000-0000-4000-8000-000000000000', 'a\u200bb', 'a\nb']) {
        expectError(await call('POST', '/v1/topics', { query: { name } }), 400);
      }
    },
    'an event must be valid UTF-8, at most 256 KiB in size and not too deeply nested': async ({ newTopic, call }) => {
      const path = `/v1/topics/${(await newTopic()).uuid}/publish`;
      expectError(await call('POST', path, { body: new Uint8Array([0x61, 0xff]) }), 400);
      expectError(await call('POST', path, { body: 'x'.repeat(256 * 1024 + 1) }), 413);
      expectError(await call('POST', path, { body: '['.repeat(101) + ']'.repeat(101) }), 400);
      expectSuccess(await call('POST', path, { body: 'x'.repeat(256 * 1024) }));
    },
    'publishing with a subject that resembles an event type returns 400, and the error message names the event type':
      async ({ newTopic, call }) => {
        const { uuid } = await newTopic();
        const query = { subject: 'livebirth' };
        const { message } = expectError(await call('POST', `/v1/topics/${uuid}/publish`, { query, body: 'x' }), 400);
        ensure(message.includes('liveBirth'), `the message is ${message}`);
      },
    '`limit` sets the page size of a list, and the Link header contains the URL of the next page': async ({
      newTopic,
      call,
      token,
    }) => {
      for (let count = 0; count < 2; count++) await newTopic();
      const response = await call('GET', '/v1/topics', { query: { limit: 1 } });
      equal('number of topics on the page', expectSuccess(response).length, 1);
      const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
      ensure(URL.canParse(next), `Link is ${response.headers.get('link')}`);
      const nextPage = await fetch(next, { headers: { authorization: `Bearer ${await token()}` } });
      equal('status of the next page', nextPage.status, 200);
    },
  }),
];
