import { refused, succeeded } from '../client.ts';
import { type Deployment, unique } from '../deployment.ts';
import { holds, same, sentencesOf } from '../sentence.ts';

const ada = { firstName: 'Ada', dateOfBirth: '1990-12-10', gender: 2 };

const verify = async (
  { newPerson, call }: Deployment,
  ...expressions: readonly (readonly [string, string, unknown])[]
) => {
  const uin = await newPerson(ada);
  const body = expressions.map(([attributeName, operator, value]) => ({ attributeName, operator, value }));
  return succeeded(await call('POST', `/v1/persons/${uin}/verify`, { body }));
};

export const identity = [
  ...sentencesOf('4.1 POST /v1/uin', {
    'answers 200 and one JSON value, the new UIN': async ({ newPerson }) => {
      const uins = [await newPerson(ada), await newPerson(ada)];
      for (const uin of uins) holds(typeof uin === 'string' && uin !== '', `${JSON.stringify(uin)} is no UIN`);
      holds(uins[0] !== uins[1], 'two persons have one UIN');
    },
    'takes an object of attribute names and values, and no other': async ({ call }) => {
      for (const body of [[], ['Ada'], 'Ada', 7, null]) {
        refused(await call('POST', '/v1/uin', { body: JSON.stringify(body) }), 400);
      }
    },
  }),
  ...sentencesOf('4.1 GET /v1/persons', {
    'finds by one query parameter an attribute, all of which must hold': async ({ newPerson, call }) => {
      const lastName = unique('Conformance');
      const [both] = [await newPerson({ ...ada, lastName }), await newPerson({ firstName: 'Ida', lastName })];
      const found = succeeded(await call('GET', '/v1/persons', { query: { lastName, firstName: 'Ada' } }));
      same('who is found', found, [both]);
    },
    'answers an array of UINs, as text, of all who match': async ({ newPerson, call }) => {
      const lastName = unique('Conformance');
      const uins = [await newPerson({ lastName }), await newPerson({ lastName })];
      same('who is found', succeeded(await call('GET', '/v1/persons', { query: { lastName } })), uins.toSorted());
    },
    'attributes are required': async ({ call }) => void refused(await call('GET', '/v1/persons'), 400),
  }),
  ...sentencesOf('4.1 GET /v1/persons/{uin}', {
    'answers an object with one key a requested name': async ({ newPerson, call }) => {
      const path = `/v1/persons/${await newPerson(ada)}`;
      const read = succeeded(await call('GET', path, { query: { attributeNames: ['firstName', 'gender'] } }));
      same('what is read', read, { firstName: 'Ada', gender: 2 });
    },
    'attributeNames is required': async ({ newPerson, call }) =>
      void refused(await call('GET', `/v1/persons/${await newPerson(ada)}`), 400),
    'an unknown name yields an Error object with code 1023 in place of the value': async ({ newPerson, call }) => {
      const query = { attributeNames: ['firstName', 'shoeSize'] };
      const read = succeeded(await call('GET', `/v1/persons/${await newPerson(ada)}`, { query }));
      same('the one that is known', read.firstName, 'Ada');
      same('the code of the other', read.shoeSize?.code, 1023);
      same('type of its message', typeof read.shoeSize?.message, 'string');
    },
    'so does an attribute that the person has not': async ({ newPerson, call }) => {
      const query = { attributeNames: 'dateOfDeath' };
      const read = succeeded(await call('GET', `/v1/persons/${await newPerson(ada)}`, { query }));
      same('its code', read.dateOfDeath?.code, 1023);
    },
  }),
  ...sentencesOf('4.1 POST /v1/persons/{uin}/match', {
    'answers only what does not match; all match: []': async ({ newPerson, call }) => {
      const path = `/v1/persons/${await newPerson(ada)}/match`;
      same('all match', succeeded(await call('POST', path, { body: ada })), []);
      const errors = succeeded(await call('POST', path, { body: { ...ada, gender: 1 } }));
      same('one differs', errors, [{ attributeName: 'gender', errorCode: 1 }]);
    },
    'exposes no value': async ({ newPerson, call }) => {
      const { text } = await call('POST', `/v1/persons/${await newPerson(ada)}/match`, { body: { firstName: 'Ida' } });
      holds(!text.includes('Ada'), 'the answer has the value');
    },
  }),
  ...sentencesOf('4.1 POST /v1/persons/{uin}/verify', {
    'answers true when every expression holds': async (deployment) => {
      const expressions = [['gender', '=', 2] as const, ['firstName', '=', 'Ada'] as const];
      same('the answer', await verify(deployment, ...expressions), true);
    },
    'answers false when one does not': async (deployment) => {
      const expressions = [['gender', '=', 2] as const, ['firstName', '=', 'Ida'] as const];
      same('the answer', await verify(deployment, ...expressions), false);
    },
    'compares dates by all five operators': async (deployment) => {
      const [before, on, after] = ['1990-12-09', '1990-12-10', '1990-12-11'];
      const truths = { '<': [after], '>': [before], '=': [on], '>=': [before, on], '<=': [on, after] };
      for (const [operator, days] of Object.entries(truths)) {
        for (const day of [before, on, after]) {
          const answer = await verify(deployment, ['dateOfBirth', operator, day]);
          same(`1990-12-10 ${operator} ${day}`, answer, days.includes(day));
        }
      }
    },
    'is false of an attribute that the person has not, and of a value of another type': async (deployment) => {
      same('absent', await verify(deployment, ['dateOfDeath', '<', '2999-01-01']), false);
      same('another type', await verify(deployment, ['gender', '=', '2']), false);
    },
    'is true of no expression': async (deployment) => same('the answer', await verify(deployment), true),
  }),
  ...sentencesOf('4.1 GET /v1/persons/{uin}/document', {
    'doctype and format are required': async ({ newPerson, call }) => {
      const path = `/v1/persons/${await newPerson(ada)}/document`;
      for (const query of [{ doctype: 'birth' }, { format: 'pdf' }]) refused(await call('GET', path, { query }), 400);
    },
    'a person without such a document is 404, also with secondaryUin': async ({ newPerson, call }) => {
      const [uin, secondaryUin] = [await newPerson(ada), await newPerson(ada)];
      const query = { doctype: 'marriage', format: 'pdf' };
      refused(await call('GET', `/v1/persons/${uin}/document`, { query }), 404);
      refused(await call('GET', `/v1/persons/${uin}/document`, { query: { ...query, secondaryUin } }), 404);
    },
  }),
];
