import { refused, succeeded } from '../client.ts';
import { unique } from '../deployment.ts';
import { holds, same, sentencesOf } from '../sentence.ts';

export const registry = [
  ...sentencesOf('our page: persons', {
    'the same Idempotency-Key with the same attributes is the same UIN, with others another': async ({
      call,
      made,
    }) => {
      const headers = { 'idempotency-key': unique('key') };
      const mint = async (firstName: string) =>
        succeeded(await call('POST', '/v1/uin', { headers, body: { firstName } }));
      const [first, again, twin] = [await mint('Ada'), await mint('Ada'), await mint('Ida')];
      made.persons += 2;
      same('the repeat', again, first);
      holds(twin !== first, 'the twin has the same UIN');
    },
    'so is transactionId': async ({ call, made }) => {
      const query = { transactionId: unique('T') };
      const mint = async () => succeeded(await call('POST', '/v1/uin', { query, body: { firstName: 'Ada' } }));
      const first = await mint();
      made.persons++;
      same('the repeat', await mint(), first);
    },
    'blank text and null mean that an attribute is not given': async ({ newPerson, call }) => {
      const uin = await newPerson({ firstName: 'Ada', lastName: '', status: null });
      const query = { attributeNames: ['lastName', 'status'] };
      const read = succeeded(await call('GET', `/v1/persons/${uin}`, { query }));
      same('the codes', [read.lastName?.code, read.status?.code], [1023, 1023]);
    },
    'with nothing given, a person is not registered': async ({ call }) => {
      for (const body of [{}, { firstName: ' ' }]) refused(await call('POST', '/v1/uin', { body }), 400);
    },
    'a uin cannot be chosen': async ({ call }) =>
      void refused(await call('POST', '/v1/uin', { body: { uin: '1' } }), 400),
    'a search does not mind case, accents and white space': async ({ newPerson, call }) => {
      const word = unique('x');
      const uin = await newPerson({ lastName: `García  ${word}` });
      const found = succeeded(await call('GET', '/v1/persons', { query: { lastName: ` GARCIA ${word} ` } }));
      same('who is found', found, [uin]);
    },
    'limit and offset page a search': async ({ newPerson, call }) => {
      const lastName = unique('Conformance');
      const all = [];
      for (let count = 0; count < 3; count++) all.push(await newPerson({ lastName }));
      const page = async (offset: number) =>
        succeeded(await call('GET', '/v1/persons', { query: { lastName, offset, limit: 2 } }));
      same('the pages', [...(await page(0)), ...(await page(2))], all.toSorted());
    },
    'with names a search answers attributes': async ({ newPerson, call }) => {
      const lastName = unique('Conformance');
      await newPerson({ lastName, gender: 9 });
      const query = { lastName, names: ['lastName', 'gender'] };
      same('the answer', succeeded(await call('GET', '/v1/persons', { query })), [{ lastName, gender: 9 }]);
    },
    'attribute names may be joined by commas': async ({ newPerson, call }) => {
      const uin = await newPerson({ firstName: 'Ada', gender: 2 });
      const query = { attributeNames: 'firstName,gender' };
      same('what is read', succeeded(await call('GET', `/v1/persons/${uin}`, { query })), {
        firstName: 'Ada',
        gender: 2,
      });
    },
    'a byte order mark before a JSON body is passed over': async ({ call, made }) => {
      const headers = { 'content-type': 'application/json' };
      succeeded(await call('POST', '/v1/uin', { headers, body: '\ufeff{"firstName":"Ada"}' }));
      made.persons++;
    },
    'any single wrong digit of a UIN is told as one': async ({ newPerson, call }) => {
      const uin = await newPerson({ firstName: 'Ada' });
      const wrong = `${uin.slice(0, -2)}${(Number(uin.at(-2)) + 1) % 10}${uin.at(-1)}`;
      const answer = await call('GET', `/v1/persons/${wrong}`, { query: { attributeNames: 'status' } });
      holds(refused(answer, 404).message.includes('check digit'), `it says ${answer.text}`);
    },
  }),
  ...sentencesOf('our page: topics and lists', {
    'the same Idempotency-Key publishes once; with another event it is 400': async (deployment) => {
      const { newTopic, newSubscriber, publish, call } = deployment;
      const topic = await newTopic();
      const { letterbox } = await newSubscriber(topic);
      const headers = { 'idempotency-key': unique('key') };
      const first = await publish(topic, 'one', { headers });
      same('the repeat', await publish(topic, 'one', { headers }), first);
      refused(await call('POST', `/v1/topics/${topic.uuid}/publish`, { headers, body: 'two' }), 400);
      await publish(topic, 'last');
      await letterbox.arrived('Notification', 2);
      same('deliveries', letterbox.of('Notification').length, 2);
    },
    'a name that looks like an ID, or has what no eye sees, is 400': async ({ call }) => {
      for (const name of ['00000000-0000-4000-8000-000000000000', 'a\u200bb', 'a\nb']) {
        refused(await call('POST', '/v1/topics', { query: { name } }), 400);
      }
    },
    'an event is UTF-8, at most 256 KiB, and not nested too deeply': async ({ newTopic, call }) => {
      const path = `/v1/topics/${(await newTopic()).uuid}/publish`;
      refused(await call('POST', path, { body: new Uint8Array([0x61, 0xff]) }), 400);
      refused(await call('POST', path, { body: 'x'.repeat(256 * 1024 + 1) }), 413);
      refused(await call('POST', path, { body: '['.repeat(101) + ']'.repeat(101) }), 400);
      succeeded(await call('POST', path, { body: 'x'.repeat(256 * 1024) }));
    },
    'a subject that is nearly an event type is 400, and names that': async ({ newTopic, call }) => {
      const { uuid } = await newTopic();
      const query = { subject: 'livebirth' };
      const { message } = refused(await call('POST', `/v1/topics/${uuid}/publish`, { query, body: 'x' }), 400);
      holds(message.includes('liveBirth'), `it says ${message}`);
    },
    'limit pages a list, and Link is the address of the next page': async ({ newTopic, call, token }) => {
      for (let count = 0; count < 2; count++) await newTopic();
      const answer = await call('GET', '/v1/topics', { query: { limit: 1 } });
      same('topics on the page', succeeded(answer).length, 1);
      const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
      holds(URL.canParse(next), `Link is ${answer.headers.get('link')}`);
      const response = await fetch(next, { headers: { authorization: `Bearer ${await token()}` } });
      same('status of the next page', response.status, 200);
    },
  }),
];
