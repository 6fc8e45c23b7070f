import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// They go through the one running stack.
const journeys = ['test/journeys/**/*.test.ts', 'test/conformance/*.test.ts', 'test/faults/*-in-stack.test.ts'];
// What they import keeps nothing from one test to the next, so files share processes: to start one each takes longer than
// they do.
const stateless = ['access', 'contract', 'delivery', 'domain', 'house', 'presentation/pages', 'storage', 'harness'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

// Begun last, they would be waited for with all other cores idle.
const longest = ['grants/grants', 'documents/guards', 'faults/own-crashes', 'faults/service-throttling', 'infra/stack'];
const isLong = ({ moduleId }: TestSpecification): boolean =>
  longest.some((name) => moduleId.endsWith(`/${name}.test.ts`));

/** Files that mostly wait take turns with files that compute; those that share processes come last, in one row. */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const of = (name: string) => sorted.filter(({ project }) => project.name === name);
    const [waiting, parts] = [of('journeys'), of('parts')];
    const computing = [...parts.filter(isLong), ...parts.filter((file) => !isLong(file))];
    const turns = Array.from({ length: Math.max(waiting.length, computing.length) }, (_, turn) => turn);
    const mixed = turns.flatMap((turn) => [waiting[turn], computing[turn]]).filter((file) => file !== undefined);
    return [...mixed, ...of('stateless'), ...of('simulated')];
  }
}

export const config = defineConfig({
  test: {
    // Many files wait for most of their time; with more than one beyond the cores the others get in each other's way.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: Mixed },
    setupFiles: ['test/support/close-servers.ts', 'test/support/fixed-seed.ts'],
    // What hangs ends; nothing is too slow because the machine has other work.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: 'stateless', include: stateless, isolate: false } },
      // The suite of the stores once more, on the simulated AWS: what holds on the embedded one holds there.
      {
        extends: true,
        test: {
          name: 'simulated',
          include: ['test/storage/**/*.test.ts'],
          // The simulation has no persons.
          exclude: ['test/storage/persons/**'],
          isolate: false,
          env: { SIMULATED_STORAGE: 'true' },
        },
      },
      { extends: true, test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: [...stateless, ...journeys] } },
      { extends: true, test: { name: 'journeys', include: journeys, globalSetup: 'test/harness/running-stack.ts' } },
    ],
  },
});

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default config;
