import { generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import type { Scene, Scenes, Stage } from './cost-stage.ts';

const person = { firstName: 'Inés', lastName: 'García', dateOfBirth: '2024-02-29', placeOfBirth: 'Málaga', gender: 2 };
// The measured requests register a different person from the one that the function `mint` registers.
const other = JSON.stringify({ ...person, lastName: 'Müller' });

export const mint = async ({ ask }: Stage): Promise<string> =>
  JSON.parse(await ask(generateUin, { method: 'POST', body: JSON.stringify(person) }));

const ofPerson =
  (given: Partial<Scene['given']>) =>
  async (stage: Stage): Promise<readonly Scene[]> => [{ given: { path: { uin: await mint(stage) }, ...given } }];

const verified = [{ attributeName: 'dateOfBirth', operator: '<', value: '2025-01-01' }];

export const personScenes = {
  generateUin: async () => [
    { given: { method: 'POST', body: other } },
    {
      of: 'with an `Idempotency-Key`',
      given: (number: number) => ({ method: 'POST', body: other, headers: { 'idempotency-key': `mint ${number}` } }),
    },
  ],
  async findPersons(stage: Stage) {
    await mint(stage);
    for (let number = 0; number < 1000; number++) {
      const body = JSON.stringify({ firstName: `N${number}`, lastName: 'Thousand' });
      await stage.ask(generateUin, { method: 'POST', body });
    }
    const query = 'lastName=García&dateOfBirth=2024-02-29';
    return [
      { of: 'one match', given: { query } },
      { of: 'one match, with the `names` parameter', given: { query: `${query}&names=firstName` } },
      {
        of: 'a thousand matches, each with a journal row',
        // The number of requests must not exceed the rate limit. The first request is not measured.
        asked: 9,
        given: { query: 'lastName=Thousand' },
      },
    ];
  },
  readPerson: ofPerson({ query: 'attributeNames=firstName&attributeNames=lastName' }),
  matchPerson: ofPerson({ method: 'POST', body: JSON.stringify({ firstName: 'Ana' }) }),
  verifyPerson: ofPerson({ method: 'POST', body: JSON.stringify(verified) }),
} as const satisfies Scenes;
