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

/** As sed, git and many editors save: what is new takes the place of what was. */
function saveByRename(path: string): void {
  writeFileSync(join(base, `${path}.new`), '1');
  renameSync(join(base, `${path}.new`), join(base, path));
}

/** Resolves once a save of the source was heard of. */
async function heardOf(path: string, change: () => void): Promise<void> {
  saved.length = 0;
  change();
  await expect.poll(() => saved).toContain(path);
}

test('every save is heard of: by rename, by rename again, and in place', async () => {
  await heardOf(source, () => saveByRename(source));
  await heardOf(source, () => saveByRename(source));
  await heardOf(source, () => save(source));
  await heardOf('cdk.json', () => saveByRename('cdk.json'));
});

test('folders may come, and what they hold is heard of', async () => {
  const made = 'shared/model/notes/note.ts';
  await heardOf(made, () => save(made));
  await heardOf(made, () => saveByRename(made));
  await heardOf(made, () => save(made));
});

test('a folder that took the place of another one is heard of, and so is one that was moved', async () => {
  await heardOf(source, () => rmSync(join(base, 'functions/topics'), { recursive: true }));
  await heardOf(source, () => save(source));
  await heardOf(source, () => save(source));
  const moved = 'functions/subjects/list-topics.ts';
  await heardOf(moved, () => renameSync(join(base, 'functions/topics'), join(base, 'functions/subjects')));
  await heardOf(moved, () => save(moved));
});

test('what is no source is not told', async () => {
  await heardOf(source, () => {
    save('functions/topics/notes.txt');
    save(source);
  });
  expect(new Set(saved)).toEqual(new Set([source]));
});
