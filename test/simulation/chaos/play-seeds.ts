import type { Violation } from './evidence.ts';
import { judge } from './judge.ts';
import { type Played, play } from './play.ts';
import { prepareProcess } from './world.ts';

/** The seeds to simulate: every `step`-th seed from `from` to `to` (exclusive). */
export interface Seeds {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** The result of a simulated seed, in a form that can be sent between threads. */
export interface Result {
  readonly seed: number;
  readonly broken: readonly Violation[];
  readonly counts: Readonly<Record<'publications' | 'posts' | 'repeats' | 'faults' | 'crashes' | 'runs', number>>;
  readonly virtualMs: number;
}

function countsOf({ history }: Played): Result['counts'] {
  const runs = [...history.runs.values()];
  const taken = history.posts.filter(({ isAccepted, type }) => isAccepted && type === 'Notification');
  return {
    publications: history.publications.length,
    posts: history.posts.length,
    // All repeated deliveries are counted as necessary, because the judge reports unnecessary repetitions as
    // violations.
    repeats: taken.length - new Set(taken.map(({ messageId, uuid }) => `${messageId} ${uuid}`)).size,
    faults: runs.reduce((sum, { faults }) => sum + faults.length, 0),
    crashes: runs.filter(({ ending }) => ending === 'crashed' || ending === 'timedOut').length,
    runs: runs.length,
  };
}

/** Simulates the seeds one after another. Stops after the last seed, or when `isOver` returns true. */
export async function playSeeds(
  { from, to, step }: Seeds,
  onResult: (result: Result) => void,
  isOver: () => boolean = () => false,
  trace?: (line: string) => void,
): Promise<void> {
  await prepareProcess();
  for (let seed = from; seed < to && !isOver(); seed += step) {
    const played = await play(seed, trace);
    onResult({ seed, broken: judge(played), counts: countsOf(played), virtualMs: played.virtualMs });
  }
}

/** Summarizes the results in one line. */
export function sumOf(results: readonly Result[]): string {
  const sum = (name: keyof Result['counts']): string =>
    results.reduce((total, { counts }) => total + counts[name], 0).toLocaleString('en');
  const days = results.reduce((total, { virtualMs }) => total + virtualMs, 0) / 86_400_000;
  return (
    `${results.length} seeds, ${Math.round(days).toLocaleString('en')} virtual days: ${sum('publications')} messages, ` +
    `${sum('posts')} requests to receivers (${sum('repeats')} necessary repetitions), ${sum('runs')} runs of functions, ` +
    `${sum('faults')} faults, ${sum('crashes')} crashes`
  );
}
