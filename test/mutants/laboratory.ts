import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { copyCheckout, testedParts } from '../harness/checkout.ts';
import { listQuickTests, quickProjects, vitest } from './quick-tests.ts';
import type { Mutant } from './sample.ts';
import { openTypes } from './type-check.ts';

/** A test run is stopped after ten minutes, because a mutation can cause an endless loop. */
const runMinutes = 10;
/** The 3 nearest test files run first and the next 12 after them, because the nearest tests detect most mutations. */
const parts = [3, 12] as const;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** The type check or test file that detected a mutation, and the first error. Undefined if the mutation survived. */
export type Killer = { readonly by: string; readonly reason: string } | undefined;

/** Returns a runner that runs one program at a time. Ends every process that a program leaves behind. */
function openRunner(cwd: string) {
  let group: number | undefined;
  function end(): void {
    if (group === undefined) return;
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // All processes of the group have already ended.
    }
  }
  async function run(...args: readonly string[]): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, args, { cwd, detached: true, env: { ...process.env, NO_COLOR: '1' } });
    group = child.pid;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    const timer = setTimeout(end, runMinutes * 60_000);
    child.on('exit', end);
    const [code] = await once(child, 'close');
    clearTimeout(timer);
    group = undefined;
    return { code, output };
  }
  return { run, end };
}

/** Copies the project, and tests one mutant at a time in the copy. The original project does not change. */
export async function openLaboratory() {
  const copy = copyCheckout('mutants-', testedParts);
  const { folder } = copy;
  const inCopy = (name: string): string => join(folder, name);
  const report = inCopy('report.json');
  const types = openTypes(inCopy('tsconfig.json'));
  const runner = openRunner(folder);
  const [passing, unsound] = [new Set<string>(), new Set<string>()];

  function failingTypes(file: string): Killer {
    const reason = types.errorAfterChange(file);
    return reason === undefined ? undefined : { by: 'types', reason: reason.replace(`${folder}/`, '') };
  }

  async function failingTest(tests: readonly string[]): Promise<Killer> {
    rmSync(report, { force: true });
    const flags = ['--bail', '1', '--maxWorkers', '1', '--reporter', 'json', '--outputFile', report];
    const { code, output } = await runner.run(vitest, 'run', ...flags, ...quickProjects, ...tests);
    if (code === 0) return undefined;
    const { testResults }: Report = existsSync(report) ? JSON.parse(`${readFileSync(report)}`) : { testResults: [] };
    const failures = testResults.flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.find(({ status }) => status === 'failed');
      const reason = failed?.fullName ?? message;
      return reason === '' ? [] : [{ by: relative(folder, name), reason }];
    });
    return failures[0] ?? { by: tests.join(' '), reason: output.slice(-300) };
  }

  /**
   * Runs tests until one fails. Skips tests that also fail without the mutation, because their failures prove nothing.
   */
  async function failingWithMutation(tests: readonly string[], mutate: (isMutated: boolean) => void): Promise<Killer> {
    const sound = tests.filter((test) => !unsound.has(test));
    const killer = sound.length === 0 ? undefined : await failingTest(sound);
    if (killer === undefined || passing.has(killer.by)) return killer;
    mutate(false);
    const failure = sound.includes(killer.by) ? await failingTest([killer.by]) : undefined;
    (failure === undefined ? passing : unsound).add(killer.by);
    if (failure === undefined) return killer;
    console.error(`ignored, because it also fails without the mutation: ${failure.by}: ${failure.reason}`);
    mutate(true);
    return failingWithMutation(tests, mutate);
  }

  return {
    quickTests: listQuickTests(folder),
    /** @param tests the test files that may detect the mutation, most likely first */
    async test({ file, text }: Mutant, tests: readonly string[]): Promise<Killer> {
      const original = copy.read(file);
      const mutate = (isMutated: boolean) => copy.save(file, isMutated ? text : original);
      mutate(true);
      try {
        let killer = failingTypes(file);
        for (let part = 0, from = 0; killer === undefined && from < tests.length; part++) {
          const to = from + (parts[part] ?? tests.length);
          killer = await failingWithMutation(tests.slice(from, to), mutate);
          from = to;
        }
        return killer;
      } finally {
        mutate(false);
        types.errorAfterChange(file);
      }
    },
    close(): void {
      runner.end();
      copy.remove();
    },
  };
}
