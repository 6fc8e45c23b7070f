import { reindexPersons } from '../../shared/contract/jobs.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import { beginFilling, withdrawIndex } from '../../shared/indexes/begin-filling.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { indexing } from '../../shared/storage/persons/indexing.ts';
import { queues } from '../../shared/storage/queues/store.ts';

/** Has the indexes filled that were added, or one of them searched no more; the worker does it, step by step. */
export const handler = perform(reindexPersons, [indexing, queues], async ({ withdraw }, tools) => {
  const known = { ...tools, indexes: personIndexes };
  return withdraw === undefined ? beginFilling(known) : withdrawIndex(withdraw, known);
});
