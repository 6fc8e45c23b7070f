import { beforeEach } from 'vitest';
import { handler as findPersons } from '../../functions/persons/find-persons.ts';
import { useHarness } from './harness.ts';
import type { GivenSettings } from './variables.ts';

/** Provides the functions for persons. Each test file loads these functions once. */
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
        calls.push(call.command);
        return go();
      },
    });
  });
  return {
    ...harness,
    /** The commands of all AWS requests that the current test has caused, including retries. */
    calls,
    /** Returns the body of the response to a search. */
    find: async <Response = string[]>(query: string) => (await harness.call(findPersons, { query })).json as Response,
    /** Returns the status, code and message of the response to a rejected search. */
    async refused(query: string) {
      const { status, json } = await harness.call(findPersons, { query });
      return { status, ...(json as { code: number; message: string }) };
    },
  };
}
