import { findPersons } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { reindexPersons } from '../../shared/contract/jobs.ts';
import { fillIndexes } from '../../shared/contract/workers/registry-workers.ts';
import { parseSearch } from '../../shared/domain/persons/parse-attributes.ts';
import type { PersonIndexes } from '../../shared/domain/persons/person-index.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { runReindexing as fill } from '../../shared/registry/search/run-reindexing.ts';
import { createSearch } from '../../shared/registry/search/search-persons.ts';
import { startReindexing, withdrawIndex } from '../../shared/registry/search/start-reindexing.ts';
import { indexing } from '../../shared/storage/persons/indexing.ts';
import { persons } from '../../shared/storage/persons/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';

/** Returns the functions of a release with the given indexes. To wait, the worker calls `sleep`. */
export function releaseWith(indexes: PersonIndexes, sleep: (milliseconds: number) => Promise<unknown>) {
  // Records the indexes that searches could not use yet, the runs that ended, and the runs that waited for an index.
  const reported = { passedOver: [] as string[], ended: [] as object[], waiting: [] as string[] };
  const search = createSearch(indexes);
  const onUnbuilt = (index: string) => void reported.passedOver.push(index);
  const filling = {
    ...{ indexes, sleep },
    onComplete: (complete: readonly string[], { passes }: { passes: number }) =>
      void reported.ended.push({ complete, passes }),
    onUnbuilt: (run: string) => void reported.waiting.push(run),
  };
  return {
    reported,
    find: serve(findPersons, [persons], async ({ attributes }, tools) => {
      const { uins } = await search(parseSearch(attributes, []), undefined, { ...tools, onUnbuilt });
      return ok(uins.toSorted());
    }),
    reindex: perform(reindexPersons, [indexing, queues], async ({ withdraw }, tools) => {
      const known = { ...tools, indexes };
      return withdraw === undefined ? startReindexing(known) : withdrawIndex(withdraw, known);
    }),
    fill: consume(fillIndexes, [indexing, queues], (steps, tools) =>
      Promise.allSettled(steps.map(({ run }) => fill(run, { ...tools, ...filling }))),
    ),
  };
}
