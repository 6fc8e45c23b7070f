import { expect, it } from 'vitest';
import { population } from '../../../../infra/local/demo/population/population.ts';
import { standardAttributes } from '../../../../shared/domain/persons/attributes.ts';
import { hasValidCheckDigit } from '../../../../shared/domain/persons/check-digit.ts';
import { parseAttributes } from '../../../../shared/domain/persons/parse-attributes.ts';

const people = [...population({ size: 5000 })];
const all = people.map(({ attributes }) => attributes);
const parents = ['fatherName', 'motherName'];

it('the population is the same for the same seed and different for another seed', () => {
  expect([...population({ size: 300, seed: 7 })]).toEqual([...population({ size: 300, seed: 7 })]);
  expect([...population({ size: 300, seed: 7 })]).not.toEqual([...population({ size: 300, seed: 8 })]);
  expect([...population({ size: 2, seed: 1 })]).toMatchObject([
    { uin: '223456789018', attributes: { dateOfBirth: '2005-06-28', spouseName: 'Ανφίας Σταώράκης' } },
    { uin: '297144660347', attributes: { firstName: 'Ανφίας', placeOfBirth: 'Sanalta-sur-Mèr' } },
  ]);
});

it('the population has the requested size, and a larger population begins with the same persons', () => {
  expect(people).toHaveLength(5000);
  expect([...population({ size: 1234 })]).toEqual(people.slice(0, 1234));
});

it('every person in the population has a unique UIN with a valid check digit', () => {
  expect(new Set(people.map(({ uin }) => uin)).size).toBe(5000);
  for (const { uin } of people) expect([uin.length, hasValidCheckDigit(uin)]).toEqual([12, true]);
});

it('the attributes of the population have the format in which the registry stores them', () => {
  for (const attributes of all) expect(parseAttributes(attributes, [])).toEqual(attributes);
});

it('each attribute in the population has a value for some persons but not for others', () => {
  for (const name of Object.keys(standardAttributes).filter((name) => name !== 'uin')) {
    const share = all.filter((attributes) => attributes[name] === undefined).length / all.length;
    expect(share, name).toBeGreaterThan(0);
    expect(share, name).toBeLessThan(0.8);
  }
});

it('no person in the population died before their birth, and almost all who died have the status dead', () => {
  const dead = all.filter(({ dateOfDeath }) => dateOfDeath !== undefined);
  expect(dead.length).toBeGreaterThan(500);
  for (const { dateOfBirth = '', dateOfDeath = '' } of dead) expect(dateOfDeath >= dateOfBirth).toBe(true);
  expect(dead.filter(({ status }) => status === 'dead').length / dead.length).toBeGreaterThan(0.95);
});

it('the population includes the names of parents only if the deployment declares these attributes', () => {
  const withParents = [...population({ size: 3000, hasParents: true })].map(({ attributes }) => attributes);
  for (const name of parents) {
    expect(withParents.some((one) => one[name] !== undefined)).toBe(true);
    expect(all.some((one) => one[name] !== undefined)).toBe(false);
  }
  expect(withParents.some((one) => one.motherName !== undefined && one.fatherName === undefined)).toBe(true);
  expect(withParents.some((one) => one.fatherName !== undefined && one.motherName === undefined)).toBe(true);
});
