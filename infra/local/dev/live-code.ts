import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalSettings } from '../../build/synthesize.ts';
import { type Assembly, localStacks } from '../aws/template/template.ts';
import type { StackListener } from '../console/events.ts';
import type { LocalStack } from '../start.ts';
import { createDevBundles, type DevBundles } from './dev-bundles.ts';
import { type Plan, synthesizeInChild } from './synthesize-in-child.ts';
import { watchSources } from './watch-sources.ts';

interface Listeners {
  onEvent: StackListener;
  onMounted(): Promise<unknown>;
}

interface LiveCode {
  assembly: Promise<Assembly>;
  folderOf(bundle: string): string;
  attach(stack: LocalStack, listeners: Listeners): void;
  stop(): Promise<void>;
}

const textOf = ({ assembly }: Plan): string =>
  localStacks(assembly)
    .map((name) => readFileSync(join(assembly.directory, `${name}.template.json`), 'utf8'))
    .join();

const listed = (names: readonly string[]): string =>
  names.length > 4 ? `${names.length} functions` : names.join(', ');

/**
 * @param settings `outdir` is the folder for all generated files
 * @param isWatching whether to reload sources when they are saved
 */
export function openLiveCode({ outdir, ...settings }: LocalSettings, isWatching: boolean): LiveCode {
  const stopping = new AbortController();
  let syntheses = 0;
  const synthesize = () => {
    syntheses += 1;
    return synthesizeInChild({ ...settings, outdir: join(outdir, `assembly-${syntheses}`) }, stopping.signal);
  };

  let bundles: DevBundles | undefined;
  let plan: Plan | undefined;
  const open = async (): Promise<Assembly> => {
    plan = await synthesize();
    bundles = await createDevBundles(plan.functions, join(outdir, 'code'));
    return plan.assembly;
  };

  // Applies changes to the running code one at a time.
  let last: Promise<unknown> = Promise.resolve();
  const sequentially = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  // Saved sources are reloaded only after the stack has started.
  const saves = Promise.withResolvers<(paths: ReadonlySet<string>) => Promise<void>>();
  const stopWatching = isWatching ? watchSources(async (paths) => (await saves.promise)(paths)) : async () => {};

  const attach = (stack: LocalStack, { onEvent, onMounted }: Listeners) => {
    let isPlanOutdated = false;
    let isPlanning = false;
    const broken = { code: false, plan: false };

    const elapsed = (start: number): string => `${Math.round(performance.now() - start)} ms`;
    const report = (message: string) => onEvent({ kind: 'code', message, isBroken: false });
    const reportError = ({ message }: Error) => {
      if (stopping.signal.aborted) return;
      onEvent({ kind: 'code', message: `${message}; the previous code keeps running`, isBroken: true });
    };
    const reportFixed = (what: keyof typeof broken) => {
      const wasBroken = broken[what];
      broken[what] = false;
      if (wasBroken && !broken.code && !broken.plan) report('all errors are fixed');
    };

    const reload = async (paths: ReadonlySet<string>) => {
      const start = performance.now();
      const names = await stack.reload((await bundles?.build(paths)) ?? []);
      if (names.length > 0) report(`reloaded ${listed(names)} in ${elapsed(start)}`);
      reportFixed('code');
    };

    const mount = async (next: Plan, start: number) => {
      const old = plan;
      const isSame = old !== undefined && textOf(old) === textOf(next);
      const changed = (await bundles?.use(next.functions)) ?? [];
      if (isSame) await stack.reload(changed);
      else await stack.remount(next.assembly);
      plan = next;
      if (!isSame) await onMounted();
      if (old) await rm(old.assembly.directory, { recursive: true, force: true });
      if (!isSame) report(`reloaded the stack in ${elapsed(start)}; its data is unchanged`);
      broken.code = false;
      reportFixed('plan');
    };

    const replan = async (failure: Error | undefined) => {
      if (isPlanning) return;
      isPlanning = true;
      while (isPlanOutdated && !stopping.signal.aborted) {
        isPlanOutdated = false;
        const start = performance.now();
        try {
          const next = await synthesize();
          await sequentially(() => mount(next, start));
        } catch (error) {
          broken.plan = true;
          reportError(failure ?? (error as Error));
        }
      }
      isPlanning = false;
    };

    saves.resolve(async (paths) => {
      const failure = await sequentially(() => reload(paths)).then(
        () => undefined,
        (error: Error) => error,
      );
      broken.code ||= failure !== undefined;
      const localSource = [...paths].find((path) => path.startsWith('infra/local/'));
      if (localSource !== undefined)
        report(`${localSource} is part of the running process. Restart to apply the change.`);
      isPlanOutdated ||= broken.plan || plan?.sources.some((source) => paths.has(source)) === true;
      if (isPlanOutdated) void replan(failure);
      else if (failure) reportError(failure);
    });
  };

  return {
    assembly: open(),
    folderOf: (bundle) => bundles?.folderOf(bundle) ?? '',
    attach,
    async stop() {
      stopping.abort();
      saves.resolve(async () => {});
      await stopWatching();
      await last;
    },
  };
}
