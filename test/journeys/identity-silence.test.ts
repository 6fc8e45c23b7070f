import { expect, test } from 'vitest';
import {
  findPersons,
  generateUin,
  matchPerson,
  verifyPerson,
} from '../../shared/contract/endpoints/persons-endpoints.ts';
import { openWorld, uniqueName } from '../harness/world.ts';

const { call, logLines } = await openWorld();

test('match, verify and find do not reveal attribute values in responses, headers or logs', async () => {
  const person = {
    firstName: uniqueName('Quillonia'),
    lastName: uniqueName('Vexbarrow'),
    status: uniqueName('wanted'),
  };
  const guesses = { firstName: uniqueName('Guess'), lastName: uniqueName('Guess'), spouseName: uniqueName('Guess') };
  const uin = (await call(generateUin, { body: person })).json;
  const path = { uin };
  const asked = (value: string, operator = '=') => [{ attributeName: 'firstName', operator, value }];
  const answers = [
    await call(matchPerson, { path, body: person }),
    await call(matchPerson, { path, body: guesses }),
    await call(matchPerson, { path, body: { ...guesses, gender: guesses.lastName } }),
    await call(verifyPerson, { path, body: asked(person.firstName) }),
    await call(verifyPerson, { path, body: asked(guesses.firstName) }),
    await call(verifyPerson, { path, body: asked(guesses.firstName, guesses.lastName) }),
    await call(findPersons, { query: guesses }),
    await call(findPersons, { query: { ...person, dateOfBirth: guesses.firstName } }),
    await call(findPersons, { query: { ...person, shoeSize: guesses.firstName } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200, 400, 200, 400, 400]);
  const heard = [...answers.map(({ text, headers }) => text + JSON.stringify([...headers])), ...logLines()].join('\n');
  for (const value of [...Object.values(person), ...Object.values(guesses), uin]) expect(heard).not.toContain(value);
  // The operation name in the log proves that the log was captured.
  expect(heard).toContain('"operation":"verifyPerson"');
});
