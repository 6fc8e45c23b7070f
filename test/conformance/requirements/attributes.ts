import { expectErrorNaming, expectSuccess } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { type Check, equal, requirementsOf } from '../requirement.ts';

const values: Readonly<Record<string, string | number>> = {
  firstName: 'Zoë',
  lastName: 'O’Neill-Đặng',
  spouseName: '王小明',
  dateOfBirth: '1988-02-29',
  placeOfBirth: 'Málaga',
  gender: 2,
  dateOfDeath: '2024-12-31',
  placeOfDeath: 'Łódź',
  reasonOfDeath: 'not known',
  status: 'missing',
};

async function readBack({ newPerson, call }: Deployment, given: Readonly<Record<string, unknown>>): Promise<void> {
  const uin = await newPerson(given);
  const query = { attributeNames: Object.keys(given) };
  equal('the attributes', expectSuccess(await call('GET', `/v1/persons/${uin}`, { query })), given);
}

const rejects =
  (name: string, ...wrong: readonly unknown[]): Check =>
  async ({ call }) => {
    for (const value of wrong) {
      const body = { lastName: 'Conformance', [name]: value };
      expectErrorNaming(await call('POST', '/v1/uin', { body }), 400, name);
    }
  };

const one =
  (name: string): Check =>
  (deployment) =>
    readBack(deployment, { [name]: values[name] });
const date = [20240229, '29/02/2024', '2023-02-29', '2024-02-29T00:00:00Z'];

export const attributes = requirementsOf('2.1 Person attributes', {
  'attribute names are spelled exactly as in the standard': (deployment) => readBack(deployment, values),
  'a different spelling of an attribute name is rejected': async ({ call }) => {
    for (const name of ['firstname', 'LastName', 'date_of_birth']) {
      expectErrorNaming(await call('POST', '/v1/uin', { body: { lastName: 'Conformance', [name]: 'x' } }), 400, name);
    }
  },
  'uin is a string, and a person can be read with this uin': async ({ newPerson, call }) => {
    const uin = await newPerson({ firstName: 'Ada' });
    const read = expectSuccess(await call('GET', `/v1/persons/${uin}`, { query: { attributeNames: 'uin' } }));
    equal('the attribute uin', read, { uin });
    equal('type of the UIN', typeof uin, 'string');
  },
  'firstName is text': one('firstName'),
  'lastName is text': one('lastName'),
  'spouseName is text': one('spouseName'),
  'placeOfBirth is text': one('placeOfBirth'),
  'placeOfDeath is text': one('placeOfDeath'),
  'reasonOfDeath is text': one('reasonOfDeath'),
  'status accepts any text': async (deployment) => {
    for (const status of ['missing', 'wanted', 'dead', 'moved to sea']) await readBack(deployment, { status });
  },
  'dateOfBirth is a date in the form YYYY-MM-DD': one('dateOfBirth'),
  'dateOfBirth rejects other values': rejects('dateOfBirth', ...date),
  'dateOfDeath is a date in the form YYYY-MM-DD': one('dateOfDeath'),
  'dateOfDeath rejects other values': rejects('dateOfDeath', ...date),
  'gender accepts the numbers 0, 1, 2 and 9': async (deployment) => {
    for (const gender of [0, 1, 2, 9]) await readBack(deployment, { gender });
  },
  'gender rejects other values': rejects('gender', 3, 10, -1, '1', 'F', 1.5),
  'a string attribute rejects numbers, lists and objects': rejects('firstName', 7, ['Ada'], { en: 'Ada' }, true),
});
