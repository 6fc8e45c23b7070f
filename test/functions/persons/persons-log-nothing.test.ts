import { beforeAll, describe, expect, test } from 'vitest';
import { handler as matchPerson } from '../../../functions/persons/match-person.ts';
import { handler as verifyPerson } from '../../../functions/persons/verify-person.ts';
import { loadPersons } from '../../harness/load-persons.ts';
import { usePersonsHarness } from '../../harness/persons-harness.ts';

const harness = usePersonsHarness();
const { call, calls, lines } = harness;

/** Attribute values that appear only in the test person's row. */
const person = {
  firstName: 'Quillonia',
  lastName: 'Vexbarrow',
  dateOfBirth: '1971-03-17',
  placeOfBirth: 'Ostermundo',
  reasonOfDeath: 'dragonpox',
  tribe: 'Umbrafolk',
};
const guesses = ['Wrongname-1', 'Wrongname-2', '1999-09-09'];
const uin = '123456789018';
beforeAll(() => loadPersons(harness.dynamodb.client, harness.tables.persons, [{ uin, attributes: person }]));

/** Returns the response text and the log. */
function heard(text: string): string {
  return [text, ...lines.info, ...lines.error].join('\n');
}

const askedOf: Record<string, Parameters<typeof call>> = {
  'match, all equal': [matchPerson, { body: JSON.stringify(person) }],
  'match, different': [
    matchPerson,
    { body: '{"firstName":"Wrongname-1","dateOfBirth":"1999-09-09","tribe":"Wrongname-2"}' },
  ],
  'match, absent': [
    matchPerson,
    { body: '{"spouseName":"Wrongname-1","dateOfDeath":"1999-09-09","status":"Wrongname-2"}' },
  ],
  'match, refused': [matchPerson, { body: '{"firstName":"Wrongname-1","dateOfBirth":"Wrongname-2"}' }],
  'verify, true': [verifyPerson, { body: '[{"attributeName":"dateOfBirth","operator":"<","value":"1999-09-09"}]' }],
  'verify, false': [verifyPerson, { body: '[{"attributeName":"firstName","operator":"=","value":"Wrongname-1"}]' }],
  'verify, absent': [verifyPerson, { body: '[{"attributeName":"status","operator":"=","value":"Wrongname-1"}]' }],
  'verify, refused': [verifyPerson, { body: '[{"attributeName":"firstName","operator":"~","value":"Wrongname-1"}]' }],
};

describe.each(Object.entries(askedOf))('%s', (_name, [handler, given]) => {
  test('the response and the log contain neither the person’s values nor the values in the request', async () => {
    const { text } = await call(handler, { ...given, path: { uin } });
    const all = heard(text);
    for (const value of [...Object.values(person), ...guesses, uin]) expect(all).not.toContain(value);
    expect(lines.info).toHaveLength(1);
    expect(lines.error).toEqual([]);
  });
});

test.each(['match', 'verify'])(
  '%s makes the same calls and writes the same log lines whether an attribute is absent or different',
  async (operation) => {
    const shapes: unknown[] = [];
    for (const outcome of operation === 'match' ? ['different', 'absent'] : ['false', 'absent']) {
      const [handler, given] = askedOf[`${operation}, ${outcome}`] as Parameters<typeof call>;
      calls.length = 0;
      lines.info.length = 0;
      const { status, headers } = await call(handler, { ...given, path: { uin } });
      shapes.push({ status, headers, calls: [...calls], log: [...lines.info] });
    }
    expect(shapes[0]).toEqual(shapes[1]);
    expect(shapes[0]).toMatchObject({ status: 200, calls: ['GetItem', 'PutItem'] });
  },
);
