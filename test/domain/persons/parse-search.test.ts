import { describe, expect, it } from 'vitest';
import { parseSearch } from '../../../shared/domain/persons/parse-search.ts';
import { refusalOf } from '../../support/refused.ts';

describe('parseSearch', () => {
  it('reads the text of a query into stored values', () => {
    const given = { lastName: ' Garci\u0301a ', dateOfBirth: '2024-02-29', gender: '9', tribe: '7' };
    expect(parseSearch(given, ['tribe'])).toEqual({
      lastName: 'García',
      dateOfBirth: '2024-02-29',
      gender: 9,
      tribe: '7',
    });
  });

  it('refuses a search by nothing', async () => {
    expect(await refusalOf(() => parseSearch({}, []))).toMatchObject({ refusal: 'missingParameter' });
  });

  it.each([
    ['lastName', ''],
    ['lastName', '  '],
    ['lastName', 'x'.repeat(257)],
    ['lastName', 'a\u0000b'],
    ['dateOfBirth', '2023-02-29'],
    ['dateOfBirth', '29.02.2024'],
    ['dateOfDeath', '2024-2-9'],
    ['gender', '3'],
    ['gender', ''],
    ['gender', '01'],
    ['gender', '1.0'],
    ['gender', 'woman'],
    ['gender', '٢'],
  ])('refuses %s=%j, naming the attribute and not the value', async (name, value) => {
    const { refusal, message } = await refusalOf(() => parseSearch({ [name]: value }, []));
    expect([refusal, message.startsWith(name)]).toEqual(['invalidAttribute', true]);
    if (value.trim().length > 3) expect(message).not.toContain(value);
  });

  it.each(['firstname', 'names', 'tribe', 'toString', '__proto__', 'limit '])(
    'refuses the unknown name %j',
    async (name) => {
      const given = Object.fromEntries([
        ['lastName', 'x'],
        [name, 'x'],
      ]);
      const { refusal, message } = await refusalOf(() => parseSearch(given, []));
      expect([refusal, message]).toEqual(['unknownAttribute', expect.stringContaining(`"${name}"`)]);
    },
  );
});
