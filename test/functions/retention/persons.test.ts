import { expect, test } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { handler as generateUin } from '../../../functions/persons/generate-uin.ts';
import { handler as matchPerson } from '../../../functions/persons/match-person.ts';
import { handler as readPerson } from '../../../functions/persons/read-person.ts';
import { handler as verifyPerson } from '../../../functions/persons/verify-person.ts';
import { handler as publishEvent } from '../../../functions/topics/publish-event.ts';
import { standardAttributes } from '../../../shared/domain/persons/attributes.ts';
import { aBucketEvent } from '../../harness/bucket-event.ts';
import { useRetention } from '../../harness/retention-harness.ts';

const harness = useRetention({ importWritesPerSecond: '40000' });
const { call, placesOf, dayAfter } = harness;

// The marker contains only letters, so that folding and encoding change at most its letter case.
const mark = 'Zqmarkzq';
const texts = Object.entries(standardAttributes).flatMap(([name, { kind }]) =>
  kind === 'text' && name !== 'uin' ? [name] : [],
);
const attributes = Object.fromEntries(texts.map((name) => [name, `${mark} ${name}`]));

const ok = async (asked: ReturnType<typeof call>) => {
  const answer = await asked;
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.json;
};

/** Mints a person whose text attributes contain the marker, and uses their values in every kind of request. */
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

test('a person’s values are stored only with the person; the UIN is stored where documented', async () => {
  const uin = await askedPerson();
  expect(await placesOf(mark)).toEqual(['table persons, person#']);
  const first = ['table journal', 'table persons, mint#', 'table persons, person#'];
  expect(await placesOf(uin)).toEqual(first);
  await dayAfter(1);
  expect(await placesOf(uin)).toEqual(first.filter((place) => !place.includes('mint#')));
  await dayAfter(399);
  expect(await placesOf(uin)).toContain('table journal');
  await dayAfter(400);
  expect(await placesOf(uin)).toEqual(['table persons, person#']);
});

const people = 'table persons, person#';
const files = 'bucket documents, imports/';
const [documents, renditions] = ['bucket documents, documents/', 'bucket documents, renditions/'];
const ndjson = (...lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

test('renditions are removed when their document is deleted or replaced', async () => {
  const [key, twin] = ['documents/A-1/birth/-/deed.pdf', 'documents/B-1/birth/-/deed.pdf'];
  for (const one of [key, twin]) {
    await harness.put('documentEvents', one, 'deed');
    await harness.convert(one, `${mark} of ${one.split('/')[1]}`);
  }
  await harness.work();
  expect(await placesOf(mark)).toEqual([renditions]);
  await harness.put('documentEvents', key, 'corrected');
  await harness.work();
  expect(await placesOf(`${mark} of A-1`)).toEqual([]);
  await harness.convert(key, `${mark} of A-1`);
  await harness.deleteDocument(key);
  await harness.work();
  expect(await placesOf(`${mark} of A-1`)).toEqual([]);
  expect(await placesOf(`${mark} of B-1`)).toEqual([renditions]);
  await dayAfter(30);
  expect(await placesOf(mark)).toEqual([`${renditions}, old versions`]);
  await dayAfter(31);
  expect(await placesOf(mark)).toEqual([]);
});

test("a removed person's data is deleted immediately, except in stores with a documented retention period", async () => {
  const uin = await askedPerson();
  const [birth, marriage] = [`documents/${uin}/birth/-/deed.pdf`, `documents/${uin}/marriage/X-1/deed.pdf`];
  for (const body of [mark, `${mark} corrected`]) await harness.put('documentEvents', birth, body);
  await harness.put('documentEvents', marriage, mark);
  await harness.convert(birth, mark);
  await harness.put(
    'imports',
    'imports/changes.skip-malformed.ndjson',
    ndjson(
      { change: 'update', uin, attributes: { status: mark }, id: `${mark}-1` },
      { change: 'update', uin, attributes: { [mark]: mark, gender: mark } },
      { change: mark, uin },
    ),
  );
  await harness.newTopic('Persons');
  const event = {
    path: { uuid: 'Persons' },
    query: 'subject=updatePerson',
    body: JSON.stringify({ source: 'CR', uin }),
  };
  await ok(call(publishEvent, event));
  await harness.work();
  expect(await placesOf(mark)).toEqual([documents, `${documents}, old versions`, files, renditions, people].toSorted());

  await harness.put('imports', 'imports/removal.ndjson', ndjson({ change: 'remove', uin }));
  await harness.work();
  // In a deployed stack, S3 sends these document events.
  await harness.send('documentEvents', aBucketEvent(birth, marriage));
  await harness.work();
  expect(await placesOf(mark)).toEqual([files]);
  const left = {
    'table persons, mint#': 1,
    'table deliveries': 30,
    'bucket documents, imports/': 30,
    'bucket documents, imports/, old versions': 37,
    'table persons, change#': 90,
    'table persons, former#': 90,
    'table journal': 400,
  };
  for (const day of [0, 1, 29, 30, 31, 36, 37, 89, 90, 399, 400]) {
    await dayAfter(day);
    const isOld = (place: string): boolean => place.endsWith('old versions') && day < 30;
    const places = Object.entries(left).filter(([place, days]) => day < days && !isOld(place));
    expect(await placesOf(uin), `day ${day}`).toEqual(places.map(([place]) => place).toSorted());
  }
  expect(await placesOf(mark, uin)).toEqual([]);
});
