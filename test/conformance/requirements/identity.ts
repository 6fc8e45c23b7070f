import { expectError, expectSuccess, type Query } from '../client.ts';
import { type Deployment, unique } from '../deployment.ts';
import { type Check, ensure, equal, requirementsOf } from '../requirement.ts';

const ada = { firstName: 'Ada', dateOfBirth: '1990-12-10', gender: 2 };

const verify = async (
  { newPerson, call }: Deployment,
  ...expressions: readonly (readonly [string, string, unknown])[]
) => {
  const uin = await newPerson(ada);
  const body = expressions.map(([attributeName, operator, value]) => ({ attributeName, operator, value }));
  return expectSuccess(await call('POST', `/v1/persons/${uin}/verify`, { body }));
};

/** Compares one attribute with a smaller, an equal and a greater value, using every operator. */
const comparesWith =
  (attributeName: keyof typeof ada, smaller: string | number, greater: string | number): Check =>
  async ({ newPerson, call }) => {
    const path = `/v1/persons/${await newPerson(ada)}/verify`;
    const stored = ada[attributeName];
    const matches = { '<': [greater], '>': [smaller], '=': [stored], '>=': [smaller, stored], '<=': [stored, greater] };
    for (const [operator, values] of Object.entries(matches)) {
      for (const value of [smaller, stored, greater]) {
        const response = await call('POST', path, { body: [{ attributeName, operator, value }] });
        equal(`${stored} ${operator} ${value}`, expectSuccess(response), values.includes(value));
      }
    }
  };

/** The attributes of two persons who differ in every attribute. */
const differing: Readonly<Record<string, readonly [string | number, string | number]>> = {
  firstName: ['Zoë', 'Ida'],
  spouseName: ['王小明', '王小红'],
  dateOfBirth: ['1988-02-29', '1988-03-01'],
  placeOfBirth: ['Málaga', 'Malabo'],
  gender: [0, 1],
  dateOfDeath: ['2024-12-31', '2024-12-30'],
  placeOfDeath: ['Łódź', 'Lodi'],
  reasonOfDeath: ['not known', 'unknown'],
  status: ['missing', 'dead'],
};

export const identity = [
  ...requirementsOf('4.1 POST /v1/uin', {
    'registering a person returns 200 and the new UIN as a JSON string': async ({ newPerson }) => {
      const uins = [await newPerson(ada), await newPerson(ada)];
      for (const uin of uins) ensure(typeof uin === 'string' && uin !== '', `${JSON.stringify(uin)} is not a UIN`);
      ensure(uins[0] !== uins[1], 'two persons have the same UIN');
    },
    'only an object of attribute names and values is accepted as a new person': async ({ call }) => {
      for (const body of [[], ['Ada'], 'Ada', 7, null]) {
        expectError(await call('POST', '/v1/uin', { body: JSON.stringify(body) }), 400);
      }
    },
  }),
  ...requirementsOf('4.1 GET /v1/persons', {
    'a search finds only persons who match all query parameters': async ({ newPerson, call }) => {
      const lastName = unique('Conformance');
      const [both] = [await newPerson({ ...ada, lastName }), await newPerson({ firstName: 'Ida', lastName })];
      const found = expectSuccess(await call('GET', '/v1/persons', { query: { lastName, firstName: 'Ada' } }));
      equal('found persons', found, [both]);
    },
    'a search returns the UIN of every matching person in an array of strings': async ({ newPerson, call }) => {
      const lastName = unique('Conformance');
      const uins = [await newPerson({ lastName }), await newPerson({ lastName })];
      equal('found persons', expectSuccess(await call('GET', '/v1/persons', { query: { lastName } })), uins.toSorted());
    },
    'a search by each attribute returns only the persons with the requested value': async ({ newPerson, call }) => {
      const lastNames = [unique('Conformance'), unique('Conformance')];
      const uins: string[] = [];
      for (const [index, lastName] of lastNames.entries()) {
        const given = Object.entries(differing).map(([name, values]) => [name, values[index]]);
        uins.push(await newPerson({ ...Object.fromEntries(given), lastName }));
      }
      const [lastName, otherName] = lastNames;
      const found = async (query: Query) => expectSuccess(await call('GET', '/v1/persons', { query }));
      for (const uin of uins) equal('found by uin', await found({ uin }), [uin]);
      equal('found by lastName', await found({ lastName: otherName ?? '' }), [uins[1]]);
      // Other persons have the same values, so each search is limited to one last name.
      for (const [name, [value, other]] of Object.entries(differing)) {
        equal(`found by ${name}`, await found({ lastName: lastName ?? '', [name]: value }), [uins[0]]);
        equal(`found by another ${name}`, await found({ lastName: lastName ?? '', [name]: other }), []);
      }
    },
    'rejects a request without attributes': async ({ call }) => void expectError(await call('GET', '/v1/persons'), 400),
  }),
  ...requirementsOf('4.1 GET /v1/persons/{uin}', {
    'a person is returned as an object with one key per requested attribute': async ({ newPerson, call }) => {
      const path = `/v1/persons/${await newPerson(ada)}`;
      const read = expectSuccess(await call('GET', path, { query: { attributeNames: ['firstName', 'gender'] } }));
      equal('the attributes', read, { firstName: 'Ada', gender: 2 });
    },
    'requires attributeNames': async ({ newPerson, call }) =>
      void expectError(await call('GET', `/v1/persons/${await newPerson(ada)}`), 400),
    'an unknown attribute name returns an Error object with code 1023': async ({ newPerson, call }) => {
      const query = { attributeNames: ['firstName', 'shoeSize'] };
      const read = expectSuccess(await call('GET', `/v1/persons/${await newPerson(ada)}`, { query }));
      equal('the known attribute', read.firstName, 'Ada');
      equal('code of the unknown attribute', read.shoeSize?.code, 1023);
      equal('type of its message', typeof read.shoeSize?.message, 'string');
    },
    'a missing attribute returns an Error object with code 1023': async ({ newPerson, call }) => {
      const query = { attributeNames: 'dateOfDeath' };
      const read = expectSuccess(await call('GET', `/v1/persons/${await newPerson(ada)}`, { query }));
      equal('code of the attribute', read.dateOfDeath?.code, 1023);
    },
  }),
  ...requirementsOf('4.1 POST /v1/persons/{uin}/match', {
    'match lists only the attributes that do not match, or returns [] if all match': async ({ newPerson, call }) => {
      const path = `/v1/persons/${await newPerson(ada)}/match`;
      equal('all attributes match', expectSuccess(await call('POST', path, { body: ada })), []);
      const errors = expectSuccess(await call('POST', path, { body: { ...ada, gender: 1 } }));
      equal('one attribute differs', errors, [{ attributeName: 'gender', errorCode: 1 }]);
    },
    'match never returns attribute values': async ({ newPerson, call }) => {
      const { text } = await call('POST', `/v1/persons/${await newPerson(ada)}/match`, { body: { firstName: 'Ida' } });
      ensure(!text.includes('Ada'), 'the response contains the attribute value');
    },
  }),
  ...requirementsOf('4.1 POST /v1/persons/{uin}/verify', {
    'verify returns true if every expression is true': async (deployment) => {
      const expressions = [['gender', '=', 2] as const, ['firstName', '=', 'Ada'] as const];
      equal('the result', await verify(deployment, ...expressions), true);
    },
    'verify returns false if any expression is false': async (deployment) => {
      const expressions = [['gender', '=', 2] as const, ['firstName', '=', 'Ida'] as const];
      equal('the result', await verify(deployment, ...expressions), false);
    },
    'verify compares dates with all five operators': comparesWith('dateOfBirth', '1990-12-09', '1990-12-11'),
    'verify compares numbers with all five operators': comparesWith('gender', 1, 9),
    'verify compares text with all five operators': comparesWith('firstName', 'Ad', 'Aða'),
    'verify returns false if the attribute is missing or the value has the wrong type': async (deployment) => {
      equal('absent', await verify(deployment, ['dateOfDeath', '<', '2999-01-01']), false);
      equal('value of another type', await verify(deployment, ['gender', '=', '2']), false);
    },
    'verify returns true for an empty list of expressions': async (deployment) =>
      equal('the result', await verify(deployment), true),
  }),
  ...requirementsOf('4.1 GET /v1/persons/{uin}/document', {
    'requires doctype and format': async ({ newPerson, call }) => {
      const path = `/v1/persons/${await newPerson(ada)}/document`;
      for (const query of [{ doctype: 'birth' }, { format: 'pdf' }])
        expectError(await call('GET', path, { query }), 400);
    },
    'reading a document that does not exist returns 404, with or without `secondaryUin`': async (deployment) => {
      const { newPerson, call } = deployment;
      const [uin, secondaryUin] = [await newPerson(ada), await newPerson(ada)];
      const query = { doctype: 'marriage', format: 'pdf' };
      expectError(await call('GET', `/v1/persons/${uin}/document`, { query }), 404);
      expectError(await call('GET', `/v1/persons/${uin}/document`, { query: { ...query, secondaryUin } }), 404);
    },
  }),
];
