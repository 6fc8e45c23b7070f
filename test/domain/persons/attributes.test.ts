import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCalendarDate, kindOf, standardAttributes } from '../../../shared/domain/persons/attributes.ts';

it('the attributes of a person are the 11 attributes in OSIA section 2.1', () => {
  expect(Object.keys(standardAttributes).join(' ')).toBe(
    'uin firstName lastName spouseName dateOfBirth placeOfBirth gender dateOfDeath placeOfDeath reasonOfDeath status',
  );
});

it('the attributes of a person include the attributes that the deployment adds as strings', () => {
  expect(kindOf('nationalId', [])).toBeUndefined();
  expect(kindOf('nationalId', ['nationalId'])).toBe('text');
  expect(kindOf('gender', ['gender'])).toBe('gender');
  expect(kindOf('toString', [])).toBeUndefined();
});

describe('isCalendarDate', () => {
  it('accepts every calendar day', () => {
    const days = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(fc.property(days, (day) => isCalendarDate(day.toISOString().slice(0, 10))));
  });

  it.each([
    ['2024-02-29', true],
    ['2000-02-29', true],
    ['2023-02-29', false],
    ['2100-02-29', false],
    ['2023-04-31', false],
    ['2023-02-30', false],
    ['2023-12-32', false],
    ['0000-00-00', false],
    ['+02023-01-01', false],
    ['2023-01-01\n', false],
    ['2023/01/01', false],
  ])('returns for %j: %s', (text, expected) => {
    expect(isCalendarDate(text)).toBe(expected);
  });
});
