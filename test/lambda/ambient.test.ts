import { expect, it } from 'vitest';
import { ambient } from '../../shared/lambda/ambient.ts';

it('newId returns a version 7 UUID that is based on the current time and is different on each call', () => {
  const before = ambient.now();
  const ids = Array.from({ length: 1000 }, ambient.newId);
  const after = ambient.now();
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(after);
  }
});

it('randomBytes returns the requested number of bytes', () => {
  expect(ambient.randomBytes(32)).toHaveLength(32);
  expect(ambient.randomBytes(32)).not.toEqual(ambient.randomBytes(32));
});

it('randomDigit returns each of the digits from 0 to 9, and nothing else', () => {
  const drawn = Array.from({ length: 1000 }, ambient.randomDigit);
  expect([...new Set(drawn)].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('jitter returns a different number between 0 and 1 on each call', () => {
  const drawn = Array.from({ length: 1000 }, ambient.jitter);
  expect(drawn.every((one) => one >= 0 && one <= 1)).toBe(true);
  expect(new Set(drawn).size).toBeGreaterThan(990);
});
