import { watch } from 'node:fs';
import { root } from '../../esbuild-options.ts';
import { watchFolder } from './watch-folder.ts';

// An editor writes a file in several steps, and a branch changes many.
const quietMs = 30;

const folders = ['shared', 'functions', 'infra'];
const isSource = (path: string): boolean => /\.ts$|^cdk\.json$/.test(path);

/**
 * Calls `onSave` with the sources (as paths of the repository) that were saved, one call after the other: what is saved
 * meanwhile comes next. Returns the way to stop, which settles when the last call has.
 */
export function watchSources(
  onSave: (paths: ReadonlySet<string>) => Promise<void>,
  base: string = root,
): () => Promise<void> {
  let saved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;

  const work = async () => {
    while (saved.size > 0) {
      const paths = saved;
      saved = new Set();
      await onSave(paths);
    }
    working = undefined;
  };
  const note = (path: string) => {
    if (!isSource(path)) return;
    saved.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      working ??= work();
    }, quietMs);
  };
  const stops = folders.map((folder) => watchFolder(base, folder, note));
  const besides = watch(base, (_event, name) => note(String(name)));
  return async () => {
    clearTimeout(timer);
    besides.close();
    for (const stop of stops) stop();
    saved.clear();
    await working;
  };
}
