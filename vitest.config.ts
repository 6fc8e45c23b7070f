import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// These test files share one running stack.
const journeys = ['test/journeys/**/*.test.ts', 'test/conformance/*.test.ts', 'test/faults/*-in-stack.test.ts'];
// The modules under test keep no state, so these test files share processes. Starting a process takes longer than
// running a test file.
const stateless = ['access', 'contract', 'delivery', 'domain', 'house', 'presentation/pages', 'storage', 'harness'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

// The longest test files start first, because other cores would be idle if long tests started last.
const longest = [
  'grants/grants',
  'documents/guards',
  'faults/service-crashes',
  'faults/service-throttling',
  'infra/stack',
];
const isLong = ({ moduleId }: TestSpecification): boolean =>
  longest.some((name) => moduleId.endsWith(`/${name}.test.ts`));

/**
 * Alternates test files that mostly wait with test files that mostly compute. Files that share processes run last, in
 * their usual order.
 */
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
    // Many test files mostly wait, so there is one more worker than cores. Additional workers would slow down the
    // tests.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: Mixed },
    setupFiles: ['test/harness/setup.ts'],
    // These timeouts end tests that hang, but they are long enough for a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: 'stateless', include: stateless, isolate: false } },
      // The storage tests also run on the simulated AWS, which must behave like the embedded services.
      {
        extends: true,
        test: {
          name: 'simulated',
          include: ['test/storage/**/*.test.ts'],
          // The simulated AWS does not support the storage tests for persons.
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
