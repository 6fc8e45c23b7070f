import { expect, test } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { handler as generateUin } from '../../../functions/persons/generate-uin.ts';
import { handler as matchPerson } from '../../../functions/persons/match-person.ts';
import { handler as readPerson } from '../../../functions/persons/read-person.ts';
import { handler as verifyPerson } from '../../../functions/persons/verify-person.ts';
import { attributeKinds } from '../../../shared/model/persons/attributes.ts';
import { useRetention } from '../../harness/retention-harness.ts';

const harness = useRetention();
const { call, placesOf, dayAfter } = harness;

// Letters only: it is the same in an address, in base64 and folded for searching.
const mark = 'Zqmarkzq';
const texts = Object.entries(attributeKinds).flatMap(([name, kind]) =>
  kind === 'text' && name !== 'uin' ? [name] : [],
);
const attributes = Object.fromEntries(texts.map((name) => [name, `${mark} ${name}`]));

const ok = async (asked: ReturnType<typeof call>) => {
  const answer = await asked;
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.json;
};

/** A person with a mark in each attribute, about whom everything is asked that can be, by the mark. */
async function askedPerson(): Promise<string> {
  const body = JSON.stringify(attributes);
  const uin = await ok(call(generateUin, { body, headers: { 'Idempotency-Key': mark } }));
  const path = { uin };
  await ok(call(readPerson, { path, query: `attributeNames=${texts.join()},${mark}` }));
  await ok(call(matchPerson, { path, body: JSON.stringify({ ...attributes, [mark]: mark }) }));
  const expressions = texts.map((name) => ({ attributeName: name, operator: '=', value: `${mark} ${name}` }));
  await ok(call(verifyPerson, { path, body: JSON.stringify(expressions) }));
  await ok(call(findPersons, { query: `lastName=${mark} lastName&names=firstName,${mark}` }));
  return uin;
}

test('what is known of a person stands with the person and nowhere else; the UIN, where the list says so', async () => {
  const uin = await askedPerson();
  expect(await placesOf(mark)).toEqual(['table `persons`, `person#`']);
  const first = ['table `journal`', 'table `persons`, `mint#`', 'table `persons`, `person#`'];
  expect(await placesOf(uin)).toEqual(first);
  await dayAfter(1);
  expect(await placesOf(uin)).toEqual(first.filter((place) => !place.includes('mint#')));
  await dayAfter(399);
  expect(await placesOf(uin)).toContain('table `journal`');
  await dayAfter(400);
  expect(await placesOf(uin)).toEqual(['table `persons`, `person#`']);
});
