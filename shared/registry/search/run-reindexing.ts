import { inParts } from '../../domain/in-parts.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { completeIndexes, keyChange, nextPass, unknownIndexes } from '../../domain/persons/added-indexes.ts';
import type { IndexState, Reindexing } from '../../domain/persons/index-state.ts';
import { isGivenUp, timeOfInvocation } from '../../lambda/time-left.ts';
import type { indexing } from '../../storage/persons/indexing.ts';
import { isUnbuilt } from './search-persons.ts';
import type { IndexTools } from './start-reindexing.ts';

interface ReindexTools extends IndexTools {
  readonly indexing: IndexTools['indexing'] & ReturnType<typeof indexing.permissions.fill>;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly settings: { readonly reindexWritesPerSecond: number };
  /** Called at the end of a run. `persons` is the number of persons that the last pass read. */
  readonly onComplete: (complete: IndexState['complete'], run: { id: string; passes: number; persons: number }) => void;
  readonly onUnbuilt: (run: string) => void;
}

const reserveMs = 10_000;
const writesAtOnce = 25;
const maxPage = 1000;
// The rate limit counts four reads as one write, because reading a person costs less than writing one.
const readsPerWrite = 4;
// The maximum delay of an SQS message.
const maxDelaySeconds = 900;
// The run checks at this interval whether the index is built, because CloudFormation does not wait for DynamoDB to
// build an index.
const checkAgainMs = 5 * 60_000;
// DynamoDB builds the index while the run writes the keys. If the build takes longer than a day, an operator must act.
const maxBuildMs = 24 * 3_600_000;

class Superseded extends Error {}

/** Continues a reindexing run until time runs out, and then queues the next step. */
export async function runReindexing(id: string, tools: ReindexTools): Promise<void> {
  try {
    const { queues, now } = tools;
    const nextAt = await work(id, tools);
    if (nextAt === undefined) return;
    const delaySeconds = Math.min(maxDelaySeconds, Math.ceil(Math.max(0, nextAt - now()) / 1000));
    await queues.reindexing.send({ payload: { run: id }, group: id, delaySeconds });
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
  }
}

/** Continues a run for as long as time allows. Returns the time of the next step; undefined at the end of the run. */
async function work(id: string, tools: ReindexTools): Promise<number | undefined> {
  const { indexing, indexes, sleep, now, settings } = tools;
  const leftMs = timeOfInvocation();
  const perSecond = settings.reindexWritesPerSecond;
  const known = await indexing.indexState();
  if (known?.run?.id !== id) return undefined;
  const save = saverFrom(known, tools);
  let { run } = known;
  // A later release started this run. Either an older function received the step, or the later release was rolled back.
  const [unknown] = unknownIndexes(run, indexes);
  if (unknown !== undefined) throw new InternalError('unknownIndexOfRun', { run: id, index: unknown });
  if (run.passFrom > now()) return run.passFrom;
  try {
    while (leftMs() > reserveMs) {
      const startedAt = now();
      const page = await indexing.keyed(indexes, Math.min(perSecond, maxPage), run.after);
      const wrong = page.persons.flatMap((person) => {
        const change = keyChange(person.folded, person.keys, indexes);
        return change === undefined ? [] : [{ person, change }];
      });
      // Save the progress before making the changes, because the next step must know that this pass has made changes.
      if (wrong.length > 0) run = await save(known.complete, { ...run, changed: run.changed + wrong.length });
      for (const some of inParts(wrong, writesAtOnce)) {
        await Promise.all(some.map(({ person, change }) => indexing.setKeys(person, change)));
      }
      const read = run.read + page.persons.length;
      if (page.last === undefined) {
        const next = nextPass({ ...run, read }, now());
        if (next === undefined) return await end({ ...run, read }, save, tools);
        return (await save(known.complete, next)).passFrom;
      }
      run = await save(known.complete, { ...run, after: page.last, read });
      const cost = Math.max(wrong.length, page.read / readsPerWrite);
      await sleep(Math.max(0, (cost * 1000) / perSecond - (now() - startedAt)));
    }
  } catch (error) {
    if (!isGivenUp(error)) throw error;
  }
  return now();
}

type SaveRun = <Run extends Reindexing | undefined>(complete: IndexState['complete'], run: Run) => Promise<Run>;

/** Returns a function that saves the progress of a run. @throws Superseded if another worker has changed the state */
function saverFrom({ version: since }: IndexState, { indexing, newId }: ReindexTools): SaveRun {
  let version = since;
  return async (complete, run) => {
    const next = { version: newId(), complete, run };
    if (!(await indexing.putIndexState(next, version))) throw new Superseded();
    version = next.version;
    return run;
  };
}

async function end(run: Reindexing, save: SaveRun, tools: ReindexTools): Promise<number | undefined> {
  const { indexing, indexes, now, onComplete, onUnbuilt } = tools;
  const { id, pass: passes, read: persons } = run;
  try {
    await indexing.probe(completeIndexes(indexes, run.indexes));
  } catch (error) {
    if (!isUnbuilt(error)) throw error;
    if (now() - run.begunAt > maxBuildMs) throw new InternalError('indexNeverBuilt', { run: id }, error);
    onUnbuilt(id);
    return now() + checkAgainMs;
  }
  await save(run.indexes, undefined);
  onComplete(run.indexes, { id, passes, persons });
  return undefined;
}
