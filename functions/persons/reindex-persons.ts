import { reindexPersons } from '../../shared/contract/jobs.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { startReindexing, withdrawIndex } from '../../shared/registry/search/start-reindexing.ts';
import { indexing } from '../../shared/storage/persons/indexing.ts';
import { queues } from '../../shared/storage/queues/store.ts';

export const handler = perform(reindexPersons, [indexing, queues], async ({ withdraw }, tools) => {
  const known = { ...tools, indexes: personIndexes };
  return withdraw === undefined ? startReindexing(known) : withdrawIndex(withdraw, known);
});
