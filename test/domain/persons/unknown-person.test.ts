import { expect, it } from 'vitest';
import { checkDigitOf } from '../../../shared/domain/persons/check-digit.ts';
import { unknownPerson } from '../../../shared/domain/persons/unknown-person.ts';

const right = `12345678901${checkDigitOf('12345678901')}`;

it('unknownPerson suggests that a digit was mistyped if the check digit is wrong', () => {
  for (const mistyped of [`2${right.slice(1)}`, right.slice(1), right.slice(0, -1), '7']) {
    expect(unknownPerson(mistyped)).toMatchObject({
      errorName: 'unknownPerson',
      message: expect.stringMatching(/^no person has the uin in the path: .*mistyped .* check digit/),
    });
  }
});

it.each([right, 'AB-12', '', '１２'])('unknownPerson gives no hint for the UIN %j, which may be valid', (uin) => {
  expect(unknownPerson(uin).message).toBe('no person has the uin in the path');
});
