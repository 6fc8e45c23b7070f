import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type ConfigEnv, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Tests start hundreds of programs, and a program that finds its compiled modules starts in half the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

// All test files share processes. The modules that these tests load keep no state, so these test files also share
// modules.
const rooms = ['access', 'contract', 'delivery', 'domain', 'house', 'presentation/pages', 'storage', 'harness'];
const stateless = [...rooms.map((room) => `test/${room}/**/*.test.ts`), 'test/infra/*.test.ts'];
const journeys = ['test/journeys/**/*.test.ts', 'test/conformance/*.test.ts'];
const journey = ['test/journeys/http-journey.test.ts'];
const generated = ['test/journeys/generated-requests.test.ts'];
const ownModules = ['test/harness/own-modules.ts', 'test/harness/setup.ts'];
const slow = ['test/**/*.slow.test.ts'];
// These test files simulate hours or days. Before a merge, they use the simulated DynamoDB, which is twice as fast.
const hours = ['test/faults/*.slow.test.ts', 'test/registry/**/*.slow.test.ts'];
const sampled = ['service-crashes', 'service-throttling', 'guards.slow', 'other-tools.slow', 'in-browser.slow'];
const allCases = [...sampled.map((name) => `test/**/${name}.test.ts`), ...hours];

/**
 * The test files of each mode (`vitest --mode`). `npm test` includes `quick`, `npm run test:all` includes `rest`, and
 * `npm run test:nightly` includes `nightly`. Without a mode, the test files of the modes quick and rest run once.
 */
const projectsOf = ({ mode }: ConfigEnv) => {
  const sharing = { name: 'stateless', include: stateless, setupFiles: 'test/harness/setup.ts' };
  const parts = {
    name: 'parts',
    setupFiles: ownModules,
    include: ['test/**/*.test.ts'],
    exclude: [...stateless, ...journeys],
  };
  const inStack = {
    name: 'journeys',
    setupFiles: ownModules,
    include: journeys,
    globalSetup: 'test/harness/running-stack.ts',
  };
  const projects = {
    quick: [
      { ...sharing, exclude: slow },
      { ...parts, exclude: [...parts.exclude, ...slow] },
      { ...inStack, include: [...journey, ...generated], env: { GENERATED_REQUESTS: '100' } },
    ],
    rest: [
      // Some of these files simulate hours or crash in the middle of a request, so each has its own process.
      { ...parts, isolate: true, include: slow, exclude: [...journeys, ...hours] },
      { ...parts, name: 'hours', isolate: true, include: hours, env: { SIMULATED_STORAGE: 'true' } },
      { ...inStack, exclude: [...journey, ...generated] },
    ],
    test: [sharing, parts, inStack],
    // The storage tests also run on the simulated AWS, which must behave like the embedded services. The simulated AWS
    // does not support the storage tests for persons.
    nightly: [
      {
        ...sharing,
        name: 'simulated',
        include: ['test/storage/**/*.test.ts'],
        exclude: ['test/storage/persons/**'],
        env: { SIMULATED_STORAGE: 'true' },
      },
      { ...parts, name: 'all cases', isolate: true, include: allCases, exclude: [], env: { ALL_CASES: 'true' } },
      { ...inStack, include: generated, env: { GENERATED_REQUESTS: '5000' } },
      { ...parts, name: 'grants', include: ['test/infra/grants/*.test.ts'], env: { DEFAULT_GRANTS: '.' } },
    ],
  };
  return (projects[mode as keyof typeof projects] ?? projects.test).map((test) => ({ extends: true as const, test }));
};

// The longest test files start first, because other cores would be idle if long tests started last. The first test file
// searches the whole memory of its process, so this file starts in a new process.
const first = ['token-memory.slow', 'grants.slow', 'guards.slow', 'scale/parking', 'conformance/conformance'];
const isNamed = (name: string, { moduleId }: TestSpecification): boolean => moduleId.endsWith(`${name}.test.ts`);

/** Sorts test files by project, because only test files of the same project share processes. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const others = sorted.filter((file) => !first.some((name) => isNamed(name, file)));
    const inOrder = [...first.flatMap((name) => sorted.filter((file) => isNamed(name, file))), ...others];
    return [...Map.groupBy(inOrder, ({ project }) => project.name).values()].flat();
  }
}

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig((environment) => ({
  test: {
    isolate: false,
    // Additional workers would use more CPU time and finish no sooner.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: ByProject, setupFiles: 'list' },
    // Only tests that hang reach the timeouts. On a busy machine, a test can take twenty times as long as usual.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 240_000 } },
    projects: projectsOf(environment),
  },
}));
