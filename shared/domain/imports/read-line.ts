import { CsvError, parse } from 'csv-parse/sync';
import { changeFields, type LineRefusal } from '../../model/imports/change.ts';
import { Refusal } from '../../model/refusals.ts';
import { kindOf } from '../persons/attributes.ts';
import { knownAttributes, misspelt } from '../persons/parse-attributes.ts';
import { readJson } from '../read-json.ts';

/** The columns of a CSV file. */
export interface Columns {
  readonly delimiter: string;
  readonly names: readonly string[];
}

/** A line as a value of JSON, or why it is none. */
export type ReadLine = { readonly value: unknown } | { readonly refused: LineRefusal };

const refuse = (reason: string, field = 'line'): ReadLine => ({ refused: { field, reason } });

/** The text of a line; undefined where it is not UTF-8. A byte order mark before the first is none of it. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads a line of NDJSON. */
export function readJsonLine(text: string): ReadLine {
  try {
    return { value: readJson(text) };
  } catch (error) {
    if (error instanceof Refusal) return refuse('must be one JSON object (RFC 8259), in which no key is given twice');
    throw error;
  }
}

const quotationMark = 0x22;
const notClosed = 'CSV_QUOTE_NOT_CLOSED';

// Excel writes semicolons where the comma is the decimal sign.
const delimiters = [',', ';', '\t'] as const;

/** The cells of a record, or what is wrong with its quotation marks. */
const cells = (text: string, delimiter: string): readonly string[] | string => {
  try {
    // Given no end of a line, it would take a lone CR for one and read no further.
    const [row = []] = parse(text, { delimiter, record_delimiter: '\n' }) as string[][];
    return row;
  } catch (error) {
    if (error instanceof CsvError) return error.code;
    throw error;
  }
};

/** Whether quotation marks do not go in pairs: one within a value is given twice (RFC 4180). */
export const hasOddMarks = (bytes: Uint8Array): boolean =>
  bytes.filter((byte) => byte === quotationMark).length % 2 === 1;

// As the most lenient reader sees it: behind blanks, or a byte order mark in Latin-1.
const beginsQuoted = (cell: string): boolean => /^(?:\xef\xbb\xbf)?\s*"/.test(cell);

/**
 * How quotation marks stand in a line, or in several: right (RFC 4180); with one open, so that the last value goes on behind
 * it; wrong, but in no value that begins with one, so that none goes on; or so that nobody can tell, for programs that write CSV
 * in another way mean another end by it: so a record that has not a cell for each column. Bytes may be in any encoding that has
 * ASCII in it.
 */
export function quotingOf(bytes: Uint8Array, { delimiter, names }: Columns): 'right' | 'open' | 'wrong' | 'unclear' {
  if (!bytes.includes(quotationMark)) return 'right';
  const text = Buffer.from(bytes).toString('latin1');
  const isQuoted = text.split(delimiter).some(beginsQuoted);
  // MySQL and PHP write a quotation mark within a value so.
  if (isQuoted && text.includes('\\"')) return 'unclear';
  const row = cells(text, delimiter);
  if (row === notClosed) return 'open';
  const isRecord = typeof row !== 'string';
  if (isQuoted || hasOddMarks(bytes)) return isRecord && row.length === names.length ? 'right' : 'unclear';
  return isRecord ? 'right' : 'wrong';
}

/** What stands in a cell in place of a value that the person has no more. */
const nothing = '\\N';

/**
 * Reads the first line of a CSV file: `change`, the other fields of a change, and attributes.
 * @returns why the file cannot be read, as text
 */
export function readColumns(text: string, extraAttributes: readonly string[]): Columns | string {
  const delimiter = delimiters.find((one) => text.includes(one)) ?? ',';
  const row = cells(text, delimiter);
  const names = typeof row === 'string' ? undefined : row.map((name) => name.trim());
  const known = [
    ...new Set([...changeFields.filter((name) => name !== 'attributes'), ...knownAttributes(extraAttributes)]),
  ];
  if (!names?.includes('change')) return `the first line must name the columns, change among them: ${known.join(', ')}`;
  const unknown = names.findIndex((name) => !known.includes(name));
  if (unknown >= 0) {
    return `column ${unknown + 1} of the first line is not known${misspelt(names[unknown] ?? '', known)} may be ${known.join(', ')}`;
  }
  if (new Set(names).size < names.length) return 'the first line names a column twice';
  return { delimiter, names };
}

/** Reads a line of CSV (RFC 4180): an empty cell is not given, one of `\N` is null. */
export function readCsvLine(text: string, { delimiter, names }: Columns): ReadLine {
  const row = cells(text, delimiter);
  if (typeof row === 'string')
    return refuse('must be a line of CSV: a quotation mark stands within a cell, or a cell goes on after one');
  if (row.length !== names.length)
    return refuse(`has ${row.length} cells: the first line names ${names.length} columns`);
  const given = names.flatMap((name, at) =>
    row[at] === '' ? [] : [[name, row[at] === nothing ? null : row[at]] as const],
  );
  const { true: fields = [], false: attributes = [] } = Object.groupBy(given, ([name]) =>
    String(changeFields.includes(name)),
  );
  const value = Object.fromEntries(fields.map(([name, text]) => [name, typed(name, text)]));
  const isOfAttributes = value.change === 'register' || value.change === 'update';
  if (attributes.length === 0 && !isOfAttributes) return { value };
  return {
    value: { ...value, attributes: Object.fromEntries(attributes.map(([name, text]) => [name, typed(name, text)])) },
  };
}

/** Text of a cell as JSON would have it; what fits no type stays text, and is refused by its field. */
function typed(name: string, text: string | null | undefined): unknown {
  if (typeof text !== 'string') return text;
  if (name === 'publish') return text === 'true' || text === 'false' ? text === 'true' : text;
  if (name === 'duplicates') return text.split(/\s+/);
  return kindOf(name, []) === 'gender' && /^\d$/.test(text) ? Number(text) : text;
}
