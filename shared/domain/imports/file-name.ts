import { createHash, type Hash } from 'node:crypto';

/** The changes that a CSV file can contain. */
export const csvChanges = ['register', 'update'] as const;
export type CsvChange = (typeof csvChanges)[number];

export const skipMalformed = 'skip-malformed';

/**
 * Returns the instructions in the name of an import file, separated by dots, as in `people.update.skip-malformed.csv`.
 * `change` is the change that every row of a CSV file describes; undefined if the file name contains no change or both
 * changes.
 */
export function readFileName(key: string) {
  const [, ...parts] = key.slice(key.lastIndexOf('/') + 1).split('.');
  const isCsv = parts.at(-1) === 'csv';
  const [change, ...others] = csvChanges.filter((one) => isCsv && parts.includes(one));
  return { isCsv, change: others.length > 0 ? undefined : change, skipsMalformed: parts.includes(skipMalformed) };
}

/** Returns an error message if the name of a CSV file does not contain exactly one change. */
export function nameProblem(key: string): string | undefined {
  const { isCsv, change } = readFileName(key);
  if (!isCsv || change !== undefined) return undefined;
  const examples = csvChanges.map((one) => `people.${one}.csv`).join(' or ');
  return `the name of a CSV file must contain one of the changes register and update: ${examples}`;
}

/**
 * Creates the hash to which the caller adds the bytes of a file. The change of a CSV file is part of the hash, because
 * the same rows can first register and later update persons.
 */
export const hashOfFile = (key: string): Hash => createHash('sha256').update(readFileName(key).change ?? '');
