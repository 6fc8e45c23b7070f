import { defineConfig } from 'vitest/config';

// Two kinds: tests that need at most an embedded server of their own, and journeys through the one running stack.
const inStack = ['test/journeys/**/*.test.ts', 'test/faults/*-in-stack.test.ts'];

export const config = defineConfig({
  test: {
    projects: [
      { test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: inStack } },
      {
        test: {
          name: 'journeys',
          include: inStack,
          globalSetup: 'test/support/running-stack.ts',
          // Journeys mostly wait, so two files run at once even on two cores; by themselves, since some must be quick.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default config;
