import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type SourceFile, sourceFiles } from '../harness/source-files.ts';

/** The options that select the quick tests of `npm test`, except the tests that use the running stack. */
export const quickProjects = ['--mode', 'quick', '--project', 'stateless', '--project', 'parts'];

export const vitest = 'node_modules/vitest/vitest.mjs';

interface ListedFile {
  readonly file: string;
  readonly projectName: string;
}

/** Returns the quick test files with their projects. `folder` contains a copy of the project. */
export function listQuickTests(folder: string): Map<string, string> {
  const output = join(folder, 'tests.json');
  const args = [vitest, 'list', '--filesOnly', `--json=${output}`, ...quickProjects];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`vitest cannot list the tests: ${stderr}`);
  const files = JSON.parse(readFileSync(output, 'utf8')) as ListedFile[];
  return new Map(files.map(({ file, projectName }) => [relative(folder, file), projectName]));
}

/** Returns the files that a source file imports, names in a string, or starts as processes. */
const usedBy = ({ path, imports, code }: SourceFile): string[] => [
  ...imports.filter(({ isRelative, isTypeOnly }) => isRelative && !isTypeOnly).map(({ target }) => target),
  ...[...code.matchAll(/'((?:shared|functions|infra|test)\/[^'\s]+\.ts)'/g)].map(([, target = '']) => target),
  ...[...code.matchAll(/new URL\([`']([^`'\s]+)[`'], import\.meta\.url\)/g)].map(([, target = '']) =>
    join(dirname(path), target.replace(/\$\{.*$/, 'ts')),
  ),
];

/**
 * Returns the quick tests in the folder of `test/` that corresponds to the file's folder. If there are none, returns
 * the tests of the nearest parent folder.
 */
function testsOfFolder(file: string, quickTests: ReadonlyMap<string, string>): string[] {
  const folder = dirname(file);
  const tests = [...quickTests.keys()].filter((test) => test.startsWith(`test/${folder.replace(/^shared\//, '')}/`));
  return tests.length > 0 || folder === '.' ? tests : testsOfFolder(folder, quickTests);
}

/**
 * Returns a function that lists the quick tests that use a file directly or indirectly. If no test uses the file, the
 * function returns the tests of its folder. The tests that are most likely to detect a change come first.
 */
export function testsByFile(quickTests: ReadonlyMap<string, string>): (file: string) => string[] {
  const users = new Map<string, Set<string>>();
  for (const source of sourceFiles('shared', 'functions', 'infra', 'test')) {
    for (const used of usedBy(source)) users.set(used, (users.get(used) ?? new Set()).add(source.path));
  }
  return (file) => {
    const distances = new Map([[file, 0]]);
    // The loop also visits the entries that it adds.
    for (const [path, distance] of distances) {
      for (const user of users.get(path) ?? []) if (!distances.has(user)) distances.set(user, distance + 1);
    }
    const [name = '', ...rooms] = file.replace(/\.ts$/, '').split('/').slice(1).toReversed();
    const nearness = (test: string): number =>
      rooms.filter((room) => test.includes(`/${room}/`)).length + (test.endsWith(`/${name}.test.ts`) ? 3 : 0);
    const using = [...distances.keys()].filter((test) => quickTests.has(test));
    const isStateless = (test: string): boolean => quickTests.get(test) === 'stateless';
    return (using.length > 0 ? using : testsOfFolder(file, quickTests)).toSorted(
      (one, other) =>
        nearness(other) - nearness(one) ||
        (distances.get(one) ?? 0) - (distances.get(other) ?? 0) ||
        // Stateless tests come first, because they share a process and take less time.
        Number(isStateless(other)) - Number(isStateless(one)),
    );
  };
}
