import { findPersons } from '../../shared/contract/endpoints/persons.ts';
import { reindexPersons } from '../../shared/contract/jobs.ts';
import { fillIndexes } from '../../shared/contract/workers/indexes-workers.ts';
import { parseSearch } from '../../shared/domain/persons/parse-search.ts';
import type { PersonIndexes } from '../../shared/domain/persons/person-index.ts';
import { beginFilling, withdrawIndex } from '../../shared/indexes/begin-filling.ts';
import { fillIndexes as fill } from '../../shared/indexes/fill-indexes.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { searchBy } from '../../shared/registry/search/search-persons.ts';
import { indexing } from '../../shared/storage/persons/indexing.ts';
import { persons } from '../../shared/storage/persons/persons.ts';
import { queues } from '../../shared/storage/queues/store.ts';

/** The functions of a release that has these indexes; `sleep` is how its worker waits. */
export function releaseWith(indexes: PersonIndexes, sleep: (milliseconds: number) => Promise<unknown>) {
  // Indexes that counted as whole and did not answer; runs that are over, and those that wait for an index.
  const told = { passedOver: [] as string[], ended: [] as object[], waiting: [] as string[] };
  const search = searchBy(indexes);
  const searching = {
    tooMany: (message: string) => new Refusal('tooManyMatches', message),
    onUnbuilt: (index: string) => void told.passedOver.push(index),
  };
  const filling = {
    ...{ indexes, sleep },
    onWhole: (whole: readonly string[], { passes }: { passes: number }) => void told.ended.push({ whole, passes }),
    onUnbuilt: (run: string) => void told.waiting.push(run),
  };
  return {
    told,
    find: serve(findPersons, [persons], async ({ attributes }, tools) => {
      const uins = await search(parseSearch(attributes, []), undefined, { ...tools, ...searching });
      return ok(uins.toSorted());
    }),
    reindex: perform(reindexPersons, [indexing, queues], async ({ withdraw }, tools) => {
      const known = { ...tools, indexes };
      return withdraw === undefined ? beginFilling(known) : withdrawIndex(withdraw, known);
    }),
    fill: consume(fillIndexes, [indexing, queues], (steps, tools) =>
      Promise.allSettled(steps.map(({ run }) => fill(run, { ...tools, ...filling }))),
    ),
  };
}
