import { afterEach, beforeEach, vi } from 'vitest';

interface ConsoleLines {
  readonly debug: string[];
  readonly info: string[];
  readonly warn: string[];
  readonly error: string[];
}

// Each line is JSON, as in the JSON log format of Lambda. Several arguments become a JSON array.
const lineOf = (parts: readonly unknown[]): string => JSON.stringify(parts.length === 1 ? parts[0] : parts);

/** Captures console output, grouped by level, instead of printing it. */
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
