import { CsvError, parse } from 'csv-parse/sync';
import { ClientError } from '../client-errors.ts';
import { kindOf } from '../persons/attributes.ts';
import { knownAttributes, suggestName } from '../persons/parse-attributes.ts';
import { readJson } from '../read-json.ts';
import { changeFields, type LineRejection } from './parse-change.ts';

export interface Columns {
  readonly delimiter: string;
  readonly names: readonly string[];
}

type ReadLine = { readonly value: unknown } | { readonly rejected: LineRejection };

const reject = (reason: string, field = 'line'): ReadLine => ({ rejected: { field, reason } });

/** Returns the text of a line without a byte order mark; undefined if it is not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function readJsonLine(text: string): ReadLine {
  try {
    return { value: readJson(text) };
  } catch (error) {
    if (error instanceof ClientError) return reject('must be one JSON object (RFC 8259) without duplicate keys');
    throw error;
  }
}

const quotationMark = 0x22;
const notClosed = 'CSV_QUOTE_NOT_CLOSED';

// Excel writes semicolons in countries with a decimal comma.
const delimiters = [',', ';', '\t'] as const;

const cells = (text: string, delimiter: string): readonly string[] | string => {
  try {
    // By default, the parser would treat a lone CR as the end of the record.
    const [row = []] = parse(text, { delimiter, record_delimiter: '\n' }) as string[][];
    return row;
  } catch (error) {
    if (error instanceof CsvError) return error.code;
    throw error;
  }
};

/** Returns whether the number of quotation marks is odd. A quotation mark inside a value is doubled (RFC 4180). */
export const hasOddMarks = (bytes: Uint8Array): boolean =>
  bytes.filter((byte) => byte === quotationMark).length % 2 === 1;

// Returns whether a cell is quoted. Blanks, or a byte order mark read as Latin-1, may precede the quotation mark.
const beginsQuoted = (cell: string): boolean => /^(?:\xef\xbb\xbf)?\s*"/.test(cell);

/**
 * Classifies the quotation marks in one or more lines. `right`: the CSV is valid (RFC 4180). `open`: the last value
 * continues on the next line. `wrong`: the CSV is invalid, but no quoted value is open. `unclear`: other CSV dialects
 * would end the record in a different place, or the number of cells is wrong.
 * @param bytes in any encoding that extends ASCII
 */
export function quotingOf(bytes: Uint8Array, { delimiter, names }: Columns): 'right' | 'open' | 'wrong' | 'unclear' {
  if (!bytes.includes(quotationMark)) return 'right';
  const text = Buffer.from(bytes).toString('latin1');
  const isQuoted = text.split(delimiter).some(beginsQuoted);
  // MySQL and PHP escape quotation marks with a backslash.
  if (isQuoted && text.includes('\\"')) return 'unclear';
  const row = cells(text, delimiter);
  if (row === notClosed) return 'open';
  const isRecord = typeof row !== 'string';
  if (isQuoted || hasOddMarks(bytes)) return isRecord && row.length === names.length ? 'right' : 'unclear';
  return isRecord ? 'right' : 'wrong';
}

const nullCell = '\\N';

/**
 * Reads the header of a CSV file: `change`, other fields of a change, and attributes.
 * @returns the columns, or an error text if the file cannot be read
 */
export function readColumns(text: string, extraAttributes: readonly string[]): Columns | string {
  const delimiter = delimiters.find((one) => text.includes(one)) ?? ',';
  const row = cells(text, delimiter);
  const names = typeof row === 'string' ? undefined : row.map((name) => name.trim());
  const known = [
    ...new Set([...changeFields.filter((name) => name !== 'attributes'), ...knownAttributes(extraAttributes)]),
  ];
  if (!names?.includes('change')) return `the first line must name the columns, including change: ${known.join(', ')}`;
  const unknown = names.findIndex((name) => !known.includes(name));
  if (unknown >= 0) {
    const suggestion = suggestName(names[unknown] ?? '', known);
    return `column ${unknown + 1} of the first line is not known${suggestion} Known columns: ${known.join(', ')}`;
  }
  if (new Set(names).size < names.length) return 'the first line contains a column twice';
  return { delimiter, names };
}

/** Reads a line of CSV (RFC 4180). Empty cells count as absent, and `\N` means null. */
export function readCsvLine(text: string, { delimiter, names }: Columns): ReadLine {
  const row = cells(text, delimiter);
  if (typeof row === 'string')
    return reject('must be a line of CSV: a quotation mark is inside a cell, or text follows a quoted cell');
  if (row.length !== names.length)
    return reject(`has ${row.length} cells, but the first line names ${names.length} columns`);
  const given = names.flatMap((name, at) =>
    row[at] === '' ? [] : [[name, row[at] === nullCell ? null : row[at]] as const],
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

/** Converts the text of a cell to its JSON value. Text of the wrong type stays text, so that its schema rejects it. */
function typed(name: string, text: string | null | undefined): unknown {
  if (typeof text !== 'string') return text;
  if (name === 'publish') return text === 'true' || text === 'false' ? text === 'true' : text;
  if (name === 'duplicates') return text.split(/\s+/);
  return kindOf(name, []) === 'gender' && /^\d$/.test(text) ? Number(text) : text;
}
