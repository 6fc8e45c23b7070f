import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../build/esbuild-options.ts';

type Watch = (base: string, folder: string, onChange: (path: string) => void) => () => void;

const watchRecursively: Watch = (base, folder, onChange) => {
  const watcher = watch(join(base, folder), { recursive: true }, (_event, name) => onChange(`${folder}/${name}`));
  return () => watcher.close();
};

// On Linux, a recursive watch in Node.js does not report a file that an editor replaces by renaming another file. Each
// folder therefore has its own watch, which reports changes to the folder's direct entries.
const watchEachFolder: Watch = (base, folder, onChange) => {
  const watchers = new Map<string, FSWatcher>();

  const open = (path: string, onFile: (path: string) => void) => {
    // Starts the watch before listing the folder, because a change may be reported twice but must not be missed.
    const watcher = watch(join(base, path), (event, name) => {
      const changed = `${path}/${name}`;
      onChange(changed);
      if (event === 'rename') reopen(changed);
    });
    watchers.set(path, watcher);
    for (const entry of readdirSync(join(base, path), { withFileTypes: true })) {
      const found = `${path}/${entry.name}`;
      if (entry.isDirectory()) open(found, onFile);
      else onFile(found);
    }
  };
  const close = (path: string) => {
    for (const [watched, watcher] of watchers) {
      if (watched !== path && !watched.startsWith(`${path}/`)) continue;
      watcher.close();
      watchers.delete(watched);
    }
  };
  // A new folder may already contain files, or may replace another folder with the same name.
  const reopen = (path: string) => {
    close(path);
    try {
      if (lstatSync(join(base, path)).isDirectory()) open(path, onChange);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // The folder no longer exists. The parent folder's watch reports the deletion.
    }
  };

  open(folder, () => {});
  return () => close(folder);
};

/**
 * Calls `onChange` for every file or folder that is saved, created or deleted in the folder or its subfolders. Paths
 * are relative to the base folder. Returns a function that stops the watch.
 */
const watchFolder: Watch = process.platform === 'linux' ? watchEachFolder : watchRecursively;

// The time without changes before saved files are processed. Editors write a file in several steps, and a branch switch
// changes many files.
const quietMs = 30;

const folders = ['shared', 'functions', 'infra'];
const isSource = (path: string): boolean => /\.ts$|^cdk\.json$/.test(path);

/**
 * Calls `onSave` with the repository paths of saved sources, one call at a time. Sources that are saved during a call
 * are passed to the next call. Returns a function that stops the watch and resolves after the last call.
 */
export function watchSources(
  onSave: (paths: ReadonlySet<string>) => Promise<void>,
  base: string = root,
): () => Promise<void> {
  let saved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const run = async () => {
    while (saved.size > 0) {
      const paths = saved;
      saved = new Set();
      await onSave(paths);
    }
    running = undefined;
  };
  const record = (path: string) => {
    if (!isSource(path)) return;
    saved.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      running ??= run();
    }, quietMs);
  };
  const stops = folders.map((folder) => watchFolder(base, folder, record));
  const rootWatch = watch(base, (_event, name) => record(String(name)));
  return async () => {
    clearTimeout(timer);
    rootWatch.close();
    for (const stop of stops) stop();
    saved.clear();
    await running;
  };
}
