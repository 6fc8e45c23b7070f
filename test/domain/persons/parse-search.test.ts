import { describe, expect, it } from 'vitest';
import { parseSearch } from '../../../shared/domain/persons/parse-attributes.ts';
import { clientErrorOf } from '../../harness/client-error.ts';

describe('parseSearch', () => {
  it('converts the query parameters to the form in which values are stored', () => {
    const given = { lastName: ' Garci\u0301a ', dateOfBirth: '2024-02-29', gender: '9', tribe: '7' };
    expect(parseSearch(given, ['tribe'])).toEqual({
      lastName: 'García',
      dateOfBirth: '2024-02-29',
      gender: 9,
      tribe: '7',
    });
  });

  it('rejects a search without attributes', async () => {
    expect(await clientErrorOf(() => parseSearch({}, []))).toMatchObject({ errorName: 'missingParameter' });
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
  ])('rejects %s=%j with a message that contains the name but not the value', async (name, value) => {
    const { errorName: refusal, message } = await clientErrorOf(() => parseSearch({ [name]: value }, []));
    expect([refusal, message.startsWith(name)]).toEqual(['invalidAttribute', true]);
    if (value.trim().length > 3) expect(message).not.toContain(value);
  });

  it.each(['firstname', 'names', 'tribe', 'toString', '__proto__', 'limit '])(
    'rejects the unknown name %j',
    async (name) => {
      const given = Object.fromEntries([
        ['lastName', 'x'],
        [name, 'x'],
      ]);
      const { errorName: refusal, message } = await clientErrorOf(() => parseSearch(given, []));
      expect([refusal, message]).toEqual(['unknownAttribute', expect.stringContaining(`"${name}"`)]);
    },
  );
});
