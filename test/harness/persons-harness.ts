import { beforeEach } from 'vitest';
import { useHarness } from './harness.ts';
import type { GivenSettings } from './variables.ts';

/** The functions over persons; what is loaded stays for all tests of the file, and every call is counted. */
export function usePersonsHarness(settings: GivenSettings = {}) {
  const harness = useHarness({
    settings: { extraAttributes: 'tribe, prénom', ...settings },
    tables: ['persons', 'journal'],
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
    /** Every request that the functions sent to AWS in this test, attempts again included, as the SDK names it. */
    calls,
  };
}
