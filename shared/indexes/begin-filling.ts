import { addedIndexes, beginRun, goOn, isOf, withoutIndex } from '../domain/persons/added-indexes.ts';
import type { IndexState } from '../domain/persons/index-state.ts';
import { Fault } from '../model/faults.ts';
import type { IndexTools } from './index-tools.ts';

// The worker notes once a second how far it is.
const mostTries = 10;

type Known = Omit<IndexState, 'mark'>;

/** Changes what is known of the indexes, as it is then. */
async function change(next: (known: Known) => Known, { indexing, newId }: IndexTools): Promise<IndexState> {
  for (let tries = 0; tries < mostTries; tries++) {
    const known = await indexing.indexState();
    const state = { ...next(known ?? { whole: [] }), mark: newId() };
    if (await indexing.putIndexState(state, known?.mark)) return state;
  }
  throw new Fault('indexStateContended', {});
}

/** Has the indexes filled that were added, from where a run that fills the same ones is. */
export async function beginFilling(tools: IndexTools) {
  const { indexes, now, newId, queues } = tools;
  const ours = addedIndexes(indexes);
  const { run } = await change(({ whole, run }) => {
    const isSame = run?.indexes.toSorted().join() === ours.toSorted().join();
    return {
      whole: whole.filter((index) => ours.includes(index)),
      run: run !== undefined && isSame ? goOn(run, now()) : beginRun(newId(), indexes, now()),
    };
  }, tools);
  const { id = '', pass = 0 } = run ?? {};
  // Sent also where a run goes on: its step may be lost, and of two the one that is outrun ends.
  await queues.reindexing.send({ payload: { run: id }, group: id });
  return { run: id, indexes: ours.join(' '), pass };
}

/**
 * Has an index searched no more, within a minute, and ends a run.
 * @returns the indexes that are searched, by `name@tag`
 * @throws where nobody knows such an index
 */
export async function withdrawIndex(index: string, tools: IndexTools) {
  const { whole } = await change(({ whole, run }) => {
    const known = [...addedIndexes(tools.indexes), ...whole, ...(run?.indexes ?? [])];
    if (!known.some((one) => isOf(one, index))) throw new Fault('unknownIndex', {});
    return { whole: withoutIndex(whole, index) };
  }, tools);
  return { whole: whole.join(' ') };
}
