import { expect, test } from 'vitest';
import { readPerson } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { importChanges } from '../harness/import-file.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openWorld, uniqueName } from '../harness/world.ts';

const world = await openWorld();
leavesNoErrors(world);

test('an import file in the bucket is applied, and a report next to it lists the rejected lines', async () => {
  const uin = uniqueName('A');
  const report = await importChanges(world, [
    { change: 'register', uin, attributes: { firstName: 'Ada', lastName: 'Byron' } },
    { change: 'update', uin, attributes: { lastName: 'King' } },
    { change: 'update', uin: uniqueName('no person'), attributes: { lastName: 'King' } },
  ]);
  expect(report).toMatchObject({ lines: 3, applied: { register: 1, update: 1 }, repeated: 0, rejected: 1 });
  expect(report.rejectedLines).toEqual([{ line: 3, field: 'uin', reason: expect.any(String) }]);
  const { json } = await world.call(readPerson, {
    path: { uin },
    query: { attributeNames: ['firstName', 'lastName'] },
  });
  expect(json).toEqual({ firstName: 'Ada', lastName: 'King' });
});
