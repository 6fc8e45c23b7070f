import { describe, expect, it } from 'vitest';
import { selectAttributes } from '../../../shared/domain/persons/select-attributes.ts';

const person = { uin: '123', firstName: 'Ada', gender: 0, nationalId: 'AB' };

describe('selectAttributes', () => {
  it('returns only the requested values in the requested order', () => {
    const selected = selectAttributes(person, ['gender', 'firstName', 'uin', 'nationalId'], ['nationalId']);
    expect(Object.entries(selected)).toEqual([
      ['gender', 0],
      ['firstName', 'Ada'],
      ['uin', '123'],
      ['nationalId', 'AB'],
    ]);
  });

  it('returns an Error object with code 1023 for a value that the person does not have', () => {
    expect(selectAttributes(person, ['lastName'], [])).toEqual({
      lastName: { code: 1023, message: 'this person has no lastName' },
    });
  });

  it.each(['firstname', 'toString', 'constructor', 'hasOwnProperty', '__proto__'])(
    'returns code 1023 for the unknown attribute name %s',
    (name) => {
      expect(Object.entries(selectAttributes(person, [name], []))).toEqual([
        [name, { code: 1023, message: 'unknown attribute name' }],
      ]);
    },
  );
});
