import { availableParallelism } from 'node:os';
import { type ConfigEnv, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The modules under test keep no state, so these test files share processes. Starting a process takes longer than
// running a test file.
const rooms = ['access', 'contract', 'delivery', 'domain', 'house', 'presentation/pages', 'storage', 'harness'];
const stateless = [...rooms.map((room) => `test/${room}/**/*.test.ts`), 'test/infra/*.test.ts'];
// These test files share one running stack.
const journeys = ['test/journeys/**/*.test.ts', 'test/conformance/*.test.ts', 'test/faults/*-in-stack.test.ts'];
const journey = ['test/journeys/http-journey.test.ts'];
const slow = ['test/**/*.slow.test.ts'];
// In `npm test`, these test files try only some of their cases.
const sampled = ['faults/service-crashes', 'faults/service-throttling'].map((name) => `test/${name}.test.ts`);

/**
 * The test files of each mode (`vitest --mode`). `npm test` includes `quick`, `npm run test:all` includes `rest`, and
 * `npm run test:nightly` includes `nightly`. Without a mode, every test file of `quick` and `rest` runs once.
 */
const projectsOf = ({ mode }: ConfigEnv) => {
  const isolated = { name: 'parts', include: ['test/**/*.test.ts'], exclude: [...stateless, ...journeys] };
  const inStack = { name: 'journeys', include: journeys, globalSetup: 'test/harness/running-stack.ts' };
  const projects = {
    quick: [
      { name: 'stateless', include: stateless, exclude: slow, isolate: false },
      { ...isolated, exclude: [...isolated.exclude, ...slow], env: { SAMPLE: 'true' } },
      { ...inStack, include: journey },
    ],
    rest: [
      { ...isolated, include: [...slow, ...sampled], exclude: journeys },
      { ...inStack, exclude: journey },
    ],
    test: [{ name: 'stateless', include: stateless, isolate: false }, isolated, inStack],
    // The storage tests also run on the simulated AWS, which must behave like the embedded services. The simulated AWS
    // does not support the storage tests for persons.
    nightly: [
      {
        name: 'simulated',
        include: ['test/storage/**/*.test.ts'],
        exclude: ['test/storage/persons/**'],
        isolate: false,
        env: { SIMULATED_STORAGE: 'true' },
      },
      { ...isolated, name: 'grants', include: ['test/infra/grants/*.test.ts'], env: { GRANTS: '.' } },
    ],
  };
  return (projects[mode as keyof typeof projects] ?? projects.test).map((test) => ({ extends: true as const, test }));
};

// The longest test files start first, because other cores would be idle if long tests started last.
const longest = ['grants/grants.slow', 'documents/guards.slow', 'faults/service-crashes', 'faults/service-throttling'];
const isLong = ({ moduleId }: TestSpecification): boolean =>
  longest.some((name) => moduleId.endsWith(`/${name}.test.ts`));

/**
 * Alternates test files that mostly wait with test files that mostly compute. Files that share processes run last, in
 * their usual order.
 */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isShared = ({ project }: TestSpecification) => !project.config.isolate;
    const waiting = sorted.filter(({ project }) => project.name === 'journeys');
    const parts = sorted.filter((file) => !isShared(file) && !waiting.includes(file));
    const computing = [...parts.filter(isLong), ...parts.filter((file) => !isLong(file))];
    const turns = Array.from({ length: Math.max(waiting.length, computing.length) }, (_, turn) => turn);
    const mixed = turns.flatMap((turn) => [waiting[turn], computing[turn]]).filter((file) => file !== undefined);
    return [...mixed, ...sorted.filter(isShared)];
  }
}

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig((environment) => ({
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
    projects: projectsOf(environment),
  },
}));
