import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  givenAttributes,
  parseAttribute,
  parseAttributes,
  parseSearch,
} from '../../../shared/domain/persons/parse-attributes.ts';
import { clientErrorOf } from '../../harness/client-error.ts';

const extras = ['nationalId'];

describe('parseAttribute', () => {
  it.each([
    ['firstName', '  Ada ', 'Ada'],
    ['firstName', 'Zoe\u0308', 'Zo\u00eb'],
    ['firstName', '\u00a0Ada\u3000', 'Ada'],
    ['lastName', "O'Neill-de la Cruz", "O'Neill-de la Cruz"],
    ['lastName', 'x'.repeat(256), 'x'.repeat(256)],
    ['lastName', '👶'.repeat(256), '👶'.repeat(256)],
    ['placeOfBirth', 'e\u0301'.repeat(256), '\u00e9'.repeat(256)],
    ['status', '0', '0'],
    ['nationalId', 'AB-12', 'AB-12'],
    ['dateOfBirth', '2024-02-29', '2024-02-29'],
    ['dateOfBirth', '0001-01-01', '0001-01-01'],
    ['dateOfDeath', '9999-12-31', '9999-12-31'],
    ['gender', 0, 0],
    ['gender', 1, 1],
    ['gender', 2, 2],
    ['gender', 9, 9],
  ])('reads %s %j', (name, value, expected) => {
    expect(parseAttribute(name, value, extras)).toBe(expected);
  });

  it.each([
    ['firstName', '', 'must not be blank'],
    ['firstName', ' \t ', 'must not be blank'],
    ['firstName', null, 'must be a string'],
    ['firstName', 3, 'must be a string'],
    ['firstName', true, 'must be a string'],
    ['firstName', ['Ada'], 'must be a string'],
    ['firstName', {}, 'must be a string'],
    ['firstName', 'x'.repeat(257), 'at most 256 characters'],
    ['firstName', '👶'.repeat(257), 'at most 256 characters'],
    ['firstName', 'A\ud800da', 'well-formed'],
    ['firstName', 'A\u0000da', 'control characters'],
    ['firstName', 'A\nda', 'control characters'],
    ['nationalId', 12, 'must be a string'],
    ['dateOfBirth', '2023-02-29', 'calendar'],
    ['dateOfBirth', '1900-02-29', 'calendar'],
    ['dateOfBirth', '2023-13-01', 'calendar'],
    ['dateOfBirth', '2023-00-10', 'calendar'],
    ['dateOfBirth', '2023-1-1', 'YYYY-MM-DD'],
    ['dateOfBirth', '20230101', 'YYYY-MM-DD'],
    ['dateOfBirth', '2023-01-01T00:00:00Z', 'YYYY-MM-DD'],
    ['dateOfBirth', ' 2023-01-01', 'YYYY-MM-DD'],
    ['dateOfBirth', '２０２３-01-01', 'YYYY-MM-DD'],
    ['dateOfBirth', '', 'YYYY-MM-DD'],
    ['dateOfBirth', 20230101, 'YYYY-MM-DD'],
    ['dateOfBirth', null, 'YYYY-MM-DD'],
    ['gender', '1', '0, 1, 2 or 9'],
    ['gender', 3, '0, 1, 2 or 9'],
    ['gender', 1.5, '0, 1, 2 or 9'],
    ['gender', -1, '0, 1, 2 or 9'],
    ['gender', true, '0, 1, 2 or 9'],
    ['gender', null, '0, 1, 2 or 9'],
  ])('parseAttribute rejects %s %j with a message that names the attribute', async (name, value, mend) => {
    const refusal = await clientErrorOf(() => parseAttribute(name, value, extras));
    expect(refusal.errorName).toBe('invalidAttribute');
    expect(refusal.message).toMatch(new RegExp(`^${name} .*${mend}`));
  });

  it.each(['firstname', 'FirstName', 'nationalID', 'toString', '__proto__', 'constructor', ''])(
    'parseAttribute rejects the name %j and lists the known names',
    async (name) => {
      const refusal = await clientErrorOf(() => parseAttribute(name, 'Ada', extras));
      expect(refusal.errorName).toBe('unknownAttribute');
      expect(refusal.message).toContain(JSON.stringify(name));
      expect(refusal.message).toContain('firstName, lastName');
      expect(refusal.message).toContain('nationalId');
    },
  );

  it('parseAttribute keeps its error message short and well-formed, even for long or malformed names', async () => {
    const refusal = await clientErrorOf(() => parseAttribute(`${'\ud800'}${'n'.repeat(5000)}`, 'Ada', extras));
    expect(refusal.message.isWellFormed()).toBe(true);
    expect(refusal.message.length).toBeLessThan(400);
  });

  it('parseAttribute never reveals the rejected value in its error message', async () => {
    const marker = 'Zanzibar-4711';
    const values = fc.constantFrom(`${marker}\n`.repeat(2), `${marker}${'x'.repeat(257)}`, [marker], { marker });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('firstName', 'dateOfBirth', 'gender'), values, async (name, value) => {
        const refusal = await clientErrorOf(() => parseAttribute(name, value, extras));
        expect(refusal.message).not.toContain('Zanzibar');
      }),
    );
  });
});

describe('parseAttributes', () => {
  it('parseAttributes converts every attribute to its stored form', () => {
    expect(parseAttributes({ firstName: ' Ada ', gender: 2, dateOfBirth: '1815-12-10' }, [])).toEqual({
      firstName: 'Ada',
      gender: 2,
      dateOfBirth: '1815-12-10',
    });
  });

  it.each(['', ' ', '\u00a0\t', null])('treats the value %j as absent', (blank) => {
    const body = { firstName: 'Ada', lastName: blank, dateOfBirth: blank, gender: blank, uin: blank };
    expect(parseAttributes(body, [])).toEqual({ firstName: 'Ada' });
  });

  it.each([{}, { firstName: '' }, { firstName: ' ', gender: null, uin: null }])(
    'parseAttributes rejects %j because no attribute has a value',
    async (body) => {
      for (const read of [() => parseAttributes(body, []), () => givenAttributes(body)])
        expect(await clientErrorOf(read)).toMatchObject({
          errorName: 'invalidBody',
          message: expect.stringContaining('blank'),
        });
    },
  );

  it('parseAttributes rejects an unknown name even if its value is blank, because the name may be misspelt', async () => {
    const body = { firstName: 'Ada', lastname: '' };
    expect((await clientErrorOf(() => parseAttributes(body, []))).errorName).toBe('unknownAttribute');
  });

  it.each([0, false, [], {}])('parseAttributes does not treat the value %j as blank', async (value) => {
    expect((await clientErrorOf(() => parseAttributes({ firstName: value }, []))).errorName).toBe('invalidAttribute');
  });

  it('parseAttributes rejects the name `__proto__` like any other unknown name', async () => {
    const body = JSON.parse('{"firstName":"Ada","__proto__":{"lastName":"L"}}');
    expect((await clientErrorOf(() => parseAttributes(body, []))).errorName).toBe('unknownAttribute');
  });

  it('returns parsed attributes unchanged', () => {
    const text = fc.string({
      unit: fc.integer({ max: 0x10ffff, min: 0 }).map((point) => String.fromCodePoint(point)),
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(text, (firstName) => {
        let first: ReturnType<typeof parseAttributes>;
        try {
          first = parseAttributes({ firstName }, []);
        } catch {
          return;
        }
        expect(parseAttributes(first, [])).toEqual(first);
      }),
    );
  });
});

describe('parseSearch', () => {
  it('parseSearch converts the query parameters to the form in which values are stored', () => {
    const given = { lastName: ' Garci\u0301a ', dateOfBirth: '2024-02-29', gender: '9', tribe: '7' };
    expect(parseSearch(given, ['tribe'])).toEqual({
      lastName: 'García',
      dateOfBirth: '2024-02-29',
      gender: 9,
      tribe: '7',
    });
  });

  it('parseSearch rejects a search without attributes', async () => {
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
