import { beforeEach } from 'vitest';
import { useHarness } from './harness.ts';
import type { GivenSettings } from './variables.ts';

/** Provides the functions for persons. Each test file loads the functions once. */
export function usePersonsHarness(settings: GivenSettings = {}) {
  const harness = useHarness({
    settings: { extraAttributes: 'tribe, prénom', ...settings },
    tables: ['persons', 'journal', 'limits'],
    kept: ['persons'],
  });
  const calls: string[] = [];
  beforeEach(() => {
    calls.length = 0;
    harness.interfere({
      wire(call, go) {
        calls.push(`${call.command}Command`);
        return go();
      },
    });
  });
  return {
    ...harness,
    /** The SDK command name of each request to AWS in this test, including retries. */
    calls,
  };
}
