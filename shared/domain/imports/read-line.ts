import { ClientError } from '../client-errors.ts';
import { knownAttributes, suggestName, typedText } from '../persons/parse-attributes.ts';
import { readJson } from '../read-json.ts';
import type { CsvChange } from './file-name.ts';
import { type LineRejection, rowFields } from './parse-change.ts';

/** A line as a JSON value, or the reason why the line is malformed. */
export type ReadLine = { readonly value: unknown } | { readonly rejected: LineRejection };

const rejectLine = (reason: string): ReadLine => ({ rejected: { field: 'line', reason } });

// Bytes that are not valid UTF-8 are decoded as U+FFFD.
const isUtf8 = (text: string): boolean => !text.includes('\ufffd');
const notUtf8 = rejectLine('must be in UTF-8, without the replacement character U+FFFD');

/** Parses a line of an NDJSON file. Returns undefined if the line is blank. */
export function readJsonLine(text: string): ReadLine | undefined {
  if (!isUtf8(text)) return notUtf8;
  if (text.trim() === '') return undefined;
  try {
    return { value: readJson(text) };
  } catch (error) {
    if (error instanceof ClientError) return rejectLine('must be one JSON object (RFC 8259) without duplicate keys');
    throw error;
  }
}

// In countries that use a decimal comma, Excel separates the columns of CSV files with semicolons.
const delimiters = [',', ';', '\t'] as const;

/**
 * Parses the header line of a CSV file. The header contains the names of change fields and attributes.
 * @returns the columns, or an error message if the file cannot be read
 */
export function readColumns(text: string, extraAttributes: readonly string[]) {
  const delimiter = delimiters.find((one) => text.includes(one)) ?? ',';
  // Column names contain neither delimiters nor quotation marks.
  const names = text.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const known = [...new Set([...rowFields, ...knownAttributes(extraAttributes)])];
  if (names.includes('change')) {
    return 'the first line must not contain the column change, because the name of a CSV file contains the change';
  }
  const unknown = names.findIndex((name) => !known.includes(name));
  if (unknown >= 0) {
    const suggestion = suggestName(names[unknown] ?? '', known, 'columns');
    return `the first line must name the columns, and column ${unknown + 1} is not known${suggestion}`;
  }
  return new Set(names).size < names.length ? 'the first line contains a column twice' : { delimiter, names };
}

const nullCell = '\\N';

/** Reads a CSV row. An empty cell counts as a missing value, and `\N` means null. */
export function readCsvRow(row: readonly string[], names: readonly string[], change: CsvChange | undefined): ReadLine {
  if (!row.every(isUtf8)) return notUtf8;
  if (row.some((cell) => /\r(?!\n)/.test(cell))) return rejectLine('must end with LF or CRLF, not with CR alone');
  if (row.length !== names.length)
    return rejectLine(`has a different number of cells (${row.length}) than the first line (${names.length})`);
  const cells = names.flatMap((name, at) => (row[at] ? [[name, typed(name, row[at])] as const] : []));
  const { true: fields = [], false: attributes = [] } = Object.groupBy(cells, ([name]) =>
    String(rowFields.includes(name)),
  );
  return { value: { ...Object.fromEntries(fields), change, attributes: Object.fromEntries(attributes) } };
}

function typed(name: string, text: string): unknown {
  if (text === nullCell) return null;
  if (name === 'publish') return text === 'true' || text === 'false' ? text === 'true' : text;
  return typedText(name, text);
}
