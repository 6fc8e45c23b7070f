import { refusedNaming, succeeded } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { type Check, same, sentencesOf } from '../sentence.ts';

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
  same('what is read', succeeded(await call('GET', `/v1/persons/${uin}`, { query })), given);
}

const refuses =
  (name: string, ...wrong: readonly unknown[]): Check =>
  async ({ call }) => {
    for (const value of wrong) {
      const body = { lastName: 'Conformance', [name]: value };
      refusedNaming(await call('POST', '/v1/uin', { body }), 400, name);
    }
  };

const one =
  (name: string): Check =>
  (deployment) =>
    readBack(deployment, { [name]: values[name] });
const date = [20240229, '29/02/2024', '2023-02-29', '2024-02-29T00:00:00Z'];

export const attributes = sentencesOf('2.1 Person attributes', {
  'attribute names are exchanged exactly as listed': (deployment) => readBack(deployment, values),
  'a name in other letters is not an attribute': async ({ call }) => {
    for (const name of ['firstname', 'LastName', 'date_of_birth']) {
      refusedNaming(await call('POST', '/v1/uin', { body: { lastName: 'Conformance', [name]: 'x' } }), 400, name);
    }
  },
  'uin is text, and the person can be read by it': async ({ newPerson, call }) => {
    const uin = await newPerson({ firstName: 'Ada' });
    const read = succeeded(await call('GET', `/v1/persons/${uin}`, { query: { attributeNames: 'uin' } }));
    same('the attribute uin', read, { uin });
    same('type of the UIN', typeof uin, 'string');
  },
  'firstName is text': one('firstName'),
  'lastName is text': one('lastName'),
  'spouseName is text': one('spouseName'),
  'placeOfBirth is text': one('placeOfBirth'),
  'placeOfDeath is text': one('placeOfDeath'),
  'reasonOfDeath is text': one('reasonOfDeath'),
  'status is text, whatever it says': async (deployment) => {
    for (const status of ['missing', 'wanted', 'dead', 'moved to sea']) await readBack(deployment, { status });
  },
  'dateOfBirth is a date YYYY-MM-DD': one('dateOfBirth'),
  'dateOfBirth is nothing else': refuses('dateOfBirth', ...date),
  'dateOfDeath is a date YYYY-MM-DD': one('dateOfDeath'),
  'dateOfDeath is nothing else': refuses('dateOfDeath', ...date),
  'gender is one of the numbers 0, 1, 2 and 9': async (deployment) => {
    for (const gender of [0, 1, 2, 9]) await readBack(deployment, { gender });
  },
  'gender is nothing else': refuses('gender', 3, 10, -1, '1', 'F', 1.5),
  'a text attribute takes no number, list or object': refuses('firstName', 7, ['Ada'], { en: 'Ada' }, true),
});
