import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchSources } from '../../../../infra/local/dev/watch-sources.ts';

const source = 'functions/topics/list-topics.ts';
let base: string;
let saved: string[];
let stop: () => Promise<void>;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sources-'));
  for (const folder of ['functions', 'infra', 'shared']) mkdirSync(join(base, folder));
  save(source);
  saved = [];
  stop = watchSources(async (paths) => void saved.push(...paths), base);
});
afterEach(async () => {
  await stop();
  rmSync(base, { recursive: true });
});

function save(path: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), `${performance.now()}`);
}

/** Saves a file by replacing it with a new file, as sed, git and many editors do. */
function saveByRename(path: string): void {
  writeFileSync(join(base, `${path}.new`), '1');
  renameSync(join(base, `${path}.new`), join(base, path));
}

/** Changes a source file. Resolves when the watcher has reported the save. */
async function isReported(path: string, change: () => void): Promise<void> {
  saved.length = 0;
  change();
  await expect.poll(() => saved).toContain(path);
}

test('the watcher reports every save, whether the file is replaced or overwritten', async () => {
  await isReported(source, () => saveByRename(source));
  await isReported(source, () => saveByRename(source));
  await isReported(source, () => save(source));
  await isReported('cdk.json', () => saveByRename('cdk.json'));
});

test('the watcher reports files in new folders', async () => {
  const made = 'shared/domain/notes/note.ts';
  await isReported(made, () => save(made));
  await isReported(made, () => saveByRename(made));
  await isReported(made, () => save(made));
});

test('the watcher reports files in replaced and moved folders', async () => {
  await isReported(source, () => rmSync(join(base, 'functions/topics'), { recursive: true }));
  await isReported(source, () => save(source));
  await isReported(source, () => save(source));
  const moved = 'functions/subjects/list-topics.ts';
  await isReported(moved, () => renameSync(join(base, 'functions/topics'), join(base, 'functions/subjects')));
  await isReported(moved, () => save(moved));
});

test('the watcher does not report a saved file that is not a source file', async () => {
  await isReported(source, () => {
    save('functions/topics/notes.txt');
    save(source);
  });
  expect(new Set(saved)).toEqual(new Set([source]));
});
