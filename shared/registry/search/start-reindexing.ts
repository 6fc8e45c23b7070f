import type { reindexPersons } from '../../contract/jobs.ts';
import type { Tools } from '../../delivery/tools.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { addedIndexes, isTagOf, resumeRun, startRun, withoutIndex } from '../../domain/persons/added-indexes.ts';
import type { IndexState } from '../../domain/persons/index-state.ts';
import type { PersonIndexes } from '../../domain/persons/person-index.ts';

export interface IndexTools extends Omit<Tools<(typeof reindexPersons)['uses'][number]>, 'settings'> {
  readonly indexes: PersonIndexes;
}

// Ten attempts to save the state are enough, because the worker saves its progress only about once per second.
const maxTries = 10;

type IndexFacts = Omit<IndexState, 'version'>;

async function change(next: (known: IndexFacts) => IndexFacts, { indexing, newId }: IndexTools): Promise<IndexState> {
  for (let tries = 0; tries < maxTries; tries++) {
    const known = await indexing.indexState();
    const state = { ...next(known ?? { complete: [] }), version: newId() };
    if (await indexing.putIndexState(state, known?.version)) return state;
  }
  throw new InternalError('indexStateContended', {});
}

/** Starts filling the added indexes, or resumes a run for the same indexes. */
export async function startReindexing(tools: IndexTools) {
  const { indexes, now, newId, queues } = tools;
  const ours = addedIndexes(indexes);
  const { run } = await change(({ complete, run }) => {
    const isSame = run?.indexes.toSorted().join() === ours.toSorted().join();
    return {
      complete: complete.filter((index) => ours.includes(index)),
      run: run !== undefined && isSame ? resumeRun(run, now()) : startRun(newId(), indexes, now()),
    };
  }, tools);
  const { id = '', pass = 0 } = run ?? {};
  // Send a step even if a run exists, because the run's last step may have been lost. A second worker stops when the
  // first worker saves its progress.
  await queues.reindexing.send({ payload: { run: id }, group: id });
  return { run: id, indexes: ours.join(' '), pass };
}

/**
 * Stops all searches from using an index within a minute, and ends the current run.
 * @returns the indexes that searches still use, as `name@tag`
 * @throws InternalError `unknownIndex`
 */
export async function withdrawIndex(index: string, tools: IndexTools) {
  const { complete } = await change(({ complete, run }) => {
    const known = [...addedIndexes(tools.indexes), ...complete, ...(run?.indexes ?? [])];
    if (!known.some((one) => isTagOf(one, index))) throw new InternalError('unknownIndex', {});
    return { complete: withoutIndex(complete, index) };
  }, tools);
  return { complete: complete.join(' ') };
}
