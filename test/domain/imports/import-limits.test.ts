import { expect, it } from 'vitest';
import { writeCost } from '../../../shared/domain/imports/import-limits.ts';
import type { Change } from '../../../shared/domain/imports/parse-change.ts';

const register = { change: 'register', attributes: { firstName: 'Ada' }, publish: false } as const;
const update = { change: 'update', uin: 'A', attributes: {}, removed: [], publish: false } as const;
const remove = { change: 'remove', uin: 'A', publish: false } as const;
const merge = { change: 'merge', keep: 'A', duplicates: ['B', 'C'], publish: false } as const;

it.each([
  ['a registration', { ...register, uin: 'A' }, 1],
  ['a registration with an ID', { ...register, uin: 'A', id: 'one' }, 4],
  ['a registration without a UIN', register, 4],
  ['an update', update, 1],
  ['an update with an ID', { ...update, id: 'one' }, 4],
  ['a removal', remove, 6],
  ['a removal with an ID', { ...remove, id: 'one' }, 8],
  ['a merge of three persons', merge, 14],
  ['a merge of three persons with an ID', { ...merge, id: 'one' }, 16],
])('%s costs one write, or two writes per row if the change needs a transaction', (_, change, writes) => {
  expect(writeCost(change as unknown as Change)).toBe(writes);
});
