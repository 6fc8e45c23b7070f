import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

type Watch = (base: string, folder: string, onChange: (path: string) => void) => () => void;

const watchAtOnce: Watch = (base, folder, onChange) => {
  const watcher = watch(join(base, folder), { recursive: true }, (_event, name) => onChange(`${folder}/${name}`));
  return () => watcher.close();
};

// On Linux the recursive watch of Node.js follows each file as it was at first: it is deaf to one that a save by rename
// has put in its place. The watch of a folder hears of all that is in it, but of nothing below.
const watchEachFolder: Watch = (base, folder, onChange) => {
  const watchers = new Map<string, FSWatcher>();

  const open = (path: string, onFile: (path: string) => void) => {
    // First the watch, then the list: what comes between the two is heard of twice rather than never.
    const watcher = watch(join(base, path), (event, name) => {
      const changed = `${path}/${name}`;
      onChange(changed);
      if (event === 'rename') renew(changed);
    });
    watchers.set(path, watcher);
    for (const entry of readdirSync(join(base, path), { withFileTypes: true })) {
      const found = `${path}/${entry.name}`;
      if (entry.isDirectory()) open(found, onFile);
      else onFile(found);
    }
  };
  const close = (path: string) => {
    for (const [one, watcher] of watchers) {
      if (one !== path && !one.startsWith(`${path}/`)) continue;
      watcher.close();
      watchers.delete(one);
    }
  };
  // A folder that appears may have files already, and be another one than the one of that name before.
  const renew = (path: string) => {
    close(path);
    try {
      if (lstatSync(join(base, path)).isDirectory()) open(path, onChange);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // It is gone again, which its own folder hears of.
    }
  };

  open(folder, () => {});
  return () => close(folder);
};

/**
 * Calls `onChange` with the path, as seen from `base`, of whatever is saved, made or removed in the folder and below it.
 * Returns the way to stop.
 */
export const watchFolder: Watch = process.platform === 'linux' ? watchEachFolder : watchAtOnce;
