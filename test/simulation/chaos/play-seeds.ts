import { judge } from './judge.ts';
import type { Broken } from './judged.ts';
import { type Played, play } from './play.ts';
import { prepareProcess } from './world.ts';

/** Seeds from `from` to `to` (exclusive), every `step`-th. */
export interface Seeds {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** What came of a seed, in a form that threads can hand to each other. */
export interface Result {
  readonly seed: number;
  readonly broken: readonly Broken[];
  readonly counts: Readonly<Record<'publications' | 'posts' | 'repeats' | 'strikes' | 'deaths' | 'runs', number>>;
  readonly virtualMs: number;
}

function countsOf({ history }: Played): Result['counts'] {
  const runs = [...history.runs.values()];
  const taken = history.posts.filter(({ isAccepted, type }) => isAccepted && type === 'Notification');
  return {
    publications: history.publications.length,
    posts: history.posts.length,
    // Each of them is one that had to be: the judge has looked at every one.
    repeats: taken.length - new Set(taken.map(({ messageId, uuid }) => `${messageId} ${uuid}`)).size,
    strikes: runs.reduce((sum, { strikes }) => sum + strikes.length, 0),
    deaths: runs.filter(({ ending }) => ending === 'died' || ending === 'timedOut').length,
    runs: runs.length,
  };
}

/** Plays seeds one after the other, until `isOver`. */
export async function playSeeds(
  { from, to, step }: Seeds,
  hear: (result: Result) => void,
  isOver: () => boolean = () => false,
  trace?: (line: string) => void,
): Promise<void> {
  await prepareProcess();
  for (let seed = from; seed < to && !isOver(); seed += step) {
    const played = await play(seed, trace);
    hear({ seed, broken: judge(played), counts: countsOf(played), virtualMs: played.virtualMs });
  }
}

/** What was played, in words. */
export function sumOf(results: readonly Result[]): string {
  const sum = (name: keyof Result['counts']): string =>
    results.reduce((total, { counts }) => total + counts[name], 0).toLocaleString('en');
  const days = results.reduce((total, { virtualMs }) => total + virtualMs, 0) / 86_400_000;
  return (
    `${results.length} seeds, ${Math.round(days).toLocaleString('en')} virtual days: ${sum('publications')} messages, ` +
    `${sum('posts')} requests to receivers (${sum('repeats')} had to be repeated), ${sum('runs')} runs of functions, ` +
    `${sum('strikes')} faults, ${sum('deaths')} deaths`
  );
}
