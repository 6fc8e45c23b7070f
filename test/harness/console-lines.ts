import { afterEach, beforeEach, vi } from 'vitest';

interface ConsoleLines {
  readonly debug: string[];
  readonly info: string[];
  readonly warn: string[];
  readonly error: string[];
}

// One object a line, as Lambda's JSON log format writes it; anything else shows as what it is.
const lineOf = (parts: readonly unknown[]): string => JSON.stringify(parts.length === 1 ? parts[0] : parts);

/** Everything that a test's code writes to the console, by level; the console itself stays quiet. */
export function readConsole(): ConsoleLines {
  const lines: ConsoleLines = { debug: [], info: [], warn: [], error: [] };
  beforeEach(() => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      lines[level].length = 0;
      vi.spyOn(console, level).mockImplementation((...parts) => void lines[level].push(lineOf(parts)));
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return lines;
}
