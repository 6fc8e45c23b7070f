import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalSettings } from '../../build/synthesize.ts';
import type { Assembly } from '../aws/template/template.ts';
import type { StackListener } from '../console/events.ts';
import type { LocalStack } from '../start.ts';
import { createDevBundles, type DevBundles } from './dev-bundles.ts';
import { type Plan, synthesizeApart } from './synthesize-in-child.ts';
import { watchSources } from './watch-sources.ts';

interface Listeners {
  /** Hears what became of a save. */
  tell: StackListener;
  /** There is another template now. */
  onMounted(): Promise<unknown>;
}

/** Code and template that follow the sources. */
export interface LiveCode {
  assembly: Promise<Assembly>;
  /** Where the code of a bundle is now. */
  folderOf(bundle: string): string;
  /** Has the stack serve what is saved from now on. */
  follow(stack: LocalStack, listeners: Listeners): void;
  stop(): Promise<void>;
}

const textOf = ({ assembly: { directory, stackName } }: Plan): Promise<string> =>
  readFile(join(directory, `${stackName}.template.json`), 'utf8');

const listed = (names: readonly string[]): string =>
  names.length > 4 ? `${names.length} functions` : names.join(', ');

/**
 * @param settings their `outdir` is a folder for all that is made here
 * @param isWatching whether what is saved is to be followed
 */
export function openLiveCode({ outdir, ...settings }: LocalSettings, isWatching: boolean): LiveCode {
  const ending = new AbortController();
  let syntheses = 0;
  const synthesize = () => {
    syntheses += 1;
    return synthesizeApart({ ...settings, outdir: join(outdir, `assembly-${syntheses}`) }, ending.signal);
  };

  let bundles: DevBundles | undefined;
  let plan: Plan | undefined;
  const open = async (): Promise<Assembly> => {
    plan = await synthesize();
    bundles = await createDevBundles(plan.functions, join(outdir, 'code'));
    return plan.assembly;
  };

  // One at a time puts code where it is served from.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  // Saves wait until there is a stack to serve them.
  const saves = Promise.withResolvers<(paths: ReadonlySet<string>) => Promise<void>>();
  const stopWatching = isWatching ? watchSources(async (paths) => (await saves.promise)(paths)) : async () => {};

  const follow = (stack: LocalStack, { tell, onMounted }: Listeners) => {
    let isPlanDue = false;
    let isPlanning = false;
    const broken = { code: false, plan: false };

    const since = (start: number): string => `${Math.round(performance.now() - start)} ms`;
    const say = (message: string) => tell({ kind: 'code', message, isBroken: false });
    const sayBroken = ({ message }: Error) => {
      if (ending.signal.aborted) return;
      tell({ kind: 'code', message: `${message}; what ran before goes on`, isBroken: true });
    };
    const sayWell = (what: keyof typeof broken) => {
      const wasBroken = broken[what];
      broken[what] = false;
      if (wasBroken && !broken.code && !broken.plan) say('all is well again');
    };

    const renew = async (paths: ReadonlySet<string>) => {
      const start = performance.now();
      const names = await stack.renew((await bundles?.build(paths)) ?? []);
      if (names.length > 0) say(`${listed(names)} renewed in ${since(start)}`);
      sayWell('code');
    };

    const mount = async (next: Plan, start: number) => {
      const old = plan;
      const isSame = old !== undefined && (await textOf(old)) === (await textOf(next));
      const changed = (await bundles?.use(next.functions)) ?? [];
      if (isSame) await stack.renew(changed);
      else await stack.remount(next.assembly);
      plan = next;
      if (!isSame) await onMounted();
      if (old) await rm(old.assembly.directory, { recursive: true, force: true });
      if (!isSame) say(`the stack is mounted anew, over the same data, in ${since(start)}`);
      broken.code = false;
      sayWell('plan');
    };

    const replan = async (failure: Error | undefined) => {
      if (isPlanning) return;
      isPlanning = true;
      while (isPlanDue && !ending.signal.aborted) {
        isPlanDue = false;
        const start = performance.now();
        try {
          const next = await synthesize();
          await inTurn(() => mount(next, start));
        } catch (error) {
          broken.plan = true;
          sayBroken(failure ?? (error as Error));
        }
      }
      isPlanning = false;
    };

    saves.resolve(async (paths) => {
      const failure = await inTurn(() => renew(paths)).then(
        () => undefined,
        (error: Error) => error,
      );
      broken.code ||= failure !== undefined;
      const own = [...paths].find((path) => path.startsWith('infra/local/'));
      if (own !== undefined) say(`${own} is what runs here: start again to see it`);
      isPlanDue ||= broken.plan || plan?.sources.some((source) => paths.has(source)) === true;
      if (isPlanDue) void replan(failure);
      else if (failure) sayBroken(failure);
    });
  };

  return {
    assembly: open(),
    folderOf: (bundle) => bundles?.folderOf(bundle) ?? '',
    follow,
    async stop() {
      ending.abort();
      saves.resolve(async () => {});
      await stopWatching();
      await last;
    },
  };
}
