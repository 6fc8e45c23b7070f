import type { Reporter, TestModule } from 'vitest/node';

/** Fails the test run if a test was skipped, for example because a program such as the browser is not installed. */
// biome-ignore lint/style/noDefaultExport: vitest loads reporters by their default export
export default class FailOnSkipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
    for (const { module, fullName } of skipped) console.error(`skipped: ${module.relativeModuleId}: ${fullName}`);
    if (skipped.length > 0) process.exitCode = 1;
  }
}
