import { inParts } from '../domain/in-parts.ts';
import { keyChange, nextPass, unknownIndexes, wholeIndexes } from '../domain/persons/added-indexes.ts';
import type { IndexState, Reindexing } from '../domain/persons/index-state.ts';
import { isGivenUp, timeOfInvocation } from '../lambda/time-left.ts';
import { Fault } from '../model/faults.ts';
import type { FillTools } from './index-tools.ts';
import { isUnbuilt } from './is-unbuilt.ts';

// What a page and its writes may take, and the step that goes on.
const reserveMs = 10_000;
const writesAtOnce = 25;
const longestPage = 1000;
// A person that is read costs less than one that is written.
const readsPerWrite = 4;
// SQS delays no message longer.
const longestDelaySeconds = 900;
// CloudFormation does not wait until DynamoDB has built an index.
const lookAgainMs = 5 * 60_000;
// It builds while the rows get their keys: one that takes longer is in trouble of which somebody must hear.
const longestBuildMs = 24 * 3_600_000;

/** Somebody else goes on with the run, or has ended it. */
class Outrun extends Error {}

/** Goes on with a run for as long as there is time, and asks for the rest. */
export async function fillIndexes(id: string, tools: FillTools): Promise<void> {
  try {
    const { queues, now } = tools;
    const nextAt = await work(id, tools);
    if (nextAt === undefined) return;
    const delaySeconds = Math.min(longestDelaySeconds, Math.ceil(Math.max(0, nextAt - now()) / 1000));
    await queues.reindexing.send({ payload: { run: id }, group: id, delaySeconds });
  } catch (error) {
    if (!(error instanceof Outrun)) throw error;
  }
}

/** Does as much of a run as there is time for; answers when the rest is to be done, undefined where nothing is left. */
async function work(id: string, tools: FillTools): Promise<number | undefined> {
  const { indexing, indexes, sleep, now, settings } = tools;
  const leftMs = timeOfInvocation();
  const perSecond = settings.reindexWritesPerSecond;
  const known = await indexing.indexState();
  if (known?.run?.id !== id) return undefined;
  const keep = keepingFrom(known, tools);
  let { run } = known;
  // Begun by a later release: an older copy of this function gets the step, or that release is gone.
  const [unknown] = unknownIndexes(run, indexes);
  if (unknown !== undefined) throw new Fault('unknownIndexOfRun', { run: id, index: unknown });
  if (run.passFrom > now()) return run.passFrom;
  try {
    while (leftMs() > reserveMs) {
      const beganAt = now();
      const page = await indexing.keyed(indexes, Math.min(perSecond, longestPage), run.after);
      const wrong = page.persons.flatMap((person) => {
        const change = keyChange(person.folded, person.keys, indexes);
        return change === undefined ? [] : [{ person, change }];
      });
      // Before they are changed: whoever goes on must know that this pass has changed something.
      if (wrong.length > 0) run = await keep(known.whole, { ...run, changed: run.changed + wrong.length });
      for (const some of inParts(wrong, writesAtOnce)) {
        await Promise.all(some.map(({ person, change }) => indexing.setKeys(person, change)));
      }
      const read = run.read + page.persons.length;
      if (page.last === undefined) {
        const next = nextPass({ ...run, read }, now());
        if (next === undefined) return await end({ ...run, read }, keep, tools);
        return (await keep(known.whole, next)).passFrom;
      }
      run = await keep(known.whole, { ...run, after: page.last, read });
      const cost = Math.max(wrong.length, page.read / readsPerWrite);
      await sleep(Math.max(0, (cost * 1000) / perSecond - (now() - beganAt)));
    }
  } catch (error) {
    // Throttled for as long as there was time: the next step waits on.
    if (!isGivenUp(error)) throw error;
  }
  return now();
}

type Keep = <Run extends Reindexing | undefined>(whole: IndexState['whole'], run: Run) => Promise<Run>;

/** Notes how far a run is. @throws Outrun where somebody else has noted anything since */
function keepingFrom({ mark: since }: IndexState, { indexing, newId }: FillTools): Keep {
  let mark = since;
  return async (whole, run) => {
    const next = { mark: newId(), whole, run };
    if (!(await indexing.putIndexState(next, mark))) throw new Outrun();
    mark = next.mark;
    return run;
  };
}

/** Has the indexes searched from now on, once DynamoDB has built them. */
async function end(run: Reindexing, keep: Keep, tools: FillTools): Promise<number | undefined> {
  const { indexing, indexes, now, onWhole, onUnbuilt } = tools;
  const { id, pass: passes, read: persons } = run;
  try {
    await indexing.probe(wholeIndexes(indexes, run.indexes));
  } catch (error) {
    if (!isUnbuilt(error)) throw error;
    if (now() - run.begunAt > longestBuildMs) throw new Fault('indexNeverBuilt', { run: id }, error);
    onUnbuilt(id);
    return now() + lookAgainMs;
  }
  await keep(run.indexes, undefined);
  onWhole(run.indexes, { id, passes, persons });
  return undefined;
}
