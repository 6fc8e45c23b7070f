import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchAttributes } from '../../../shared/domain/persons/compare-attributes.ts';

const ada = { uin: '1', firstName: 'Ada', gender: 2, dateOfBirth: '1815-12-10' };
const match = (given: Record<string, string | number | undefined>) =>
  matchAttributes(ada, new Map(Object.entries(given)));

it('matchAttributes returns an empty list if every attribute matches', () => {
  expect(match({ ...ada })).toEqual([]);
});

it('matchAttributes returns code 0 for absent attributes and code 1 for different attributes, in the given order', () => {
  expect(
    match({ status: 'alive', gender: 1, firstName: 'Ada', shoeSize: undefined, dateOfBirth: '1815-12-11' }),
  ).toEqual([
    { attributeName: 'status', errorCode: 0 },
    { attributeName: 'gender', errorCode: 1 },
    { attributeName: 'shoeSize', errorCode: 0 },
    { attributeName: 'dateOfBirth', errorCode: 1 },
  ]);
});

it.each(['ada', 'Ada ', 'Ada\u0301', 'Аda'])(
  'matchAttributes compares text exactly: %j does not match Ada',
  (firstName) => {
    expect(match({ firstName })).toEqual([{ attributeName: 'firstName', errorCode: 1 }]);
  },
);

it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])(
  'matchAttributes treats %s as an attribute that no person has',
  (name) => {
    expect(matchAttributes(ada, new Map([[name, 'x']]))).toEqual([{ attributeName: name, errorCode: 0 }]);
  },
);

it('matchAttributes returns only attribute names and error codes', () => {
  const values = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()));
  fc.assert(
    fc.property(values, values, (person, given) => {
      const errors = matchAttributes(person, new Map(Object.entries(given)));
      for (const error of errors) {
        expect(Object.keys(error)).toEqual(['attributeName', 'errorCode']);
        expect(error.errorCode).toBe(Object.hasOwn(person, error.attributeName) ? 1 : 0);
      }
      const right = Object.keys(given).filter((name) => Object.hasOwn(person, name) && person[name] === given[name]);
      expect(errors.length + right.length).toBe(Object.keys(given).length);
    }),
  );
});
