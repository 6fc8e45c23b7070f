import { describe, expect, it } from 'vitest';
import { ndjson, register, useImports } from '../../harness/import-harness.ts';

const imports = useImports();

it('an import reads CSV with a header, empty cells, \\N, quoted values and blank lines', async () => {
  const people = [
    '\ufeffuin;id;firstName;lastName;gender;dateOfBirth',
    'A-1;;"Ada ""the first""; Countess";Byron;2;1815-12-10',
    '',
    ';birth-1;7;;;',
  ];
  const report = await imports.import('imports/people.register.csv', people.join('\r\n'));
  expect(report).toMatchObject({ lines: 2, applied: { register: 2 }, rejected: 0 });
  const update = 'uin,lastName,gender\nA-1,\\N,9\nB-1,King,\n';
  expect(await imports.import('imports/people.update.csv', update)).toMatchObject({
    ...{ lines: 2, applied: { update: 1 } },
    rejectedLines: [{ line: 3, field: 'uin' }],
  });
  const { 'A-1': ada, ...others } = await imports.people();
  expect(ada).toEqual({ firstName: 'Ada "the first"; Countess', gender: 9, dateOfBirth: '1815-12-10' });
  expect(Object.values(others)).toEqual([{ firstName: '7' }]);
});

it('the same rows can register persons and then update them', async () => {
  const rows = 'uin,firstName\nA-1,Ada\n';
  expect(await imports.import('imports/a.register.csv', rows)).toMatchObject({ applied: { register: 1 } });
  expect(await imports.import('imports/a.update.csv', rows)).toMatchObject({ applied: { update: 1 } });
  expect(await imports.import('imports/b.update.csv', rows)).toMatchObject({
    repeats: { file: 'imports/a.update.csv' },
  });
});

it.each([
  ['people.csv', 'contains no change'],
  ['people.remove.csv', 'contains an unsupported change'],
  ['people.register.update.csv', 'contains two changes'],
])('an import does not read the CSV file %s, because its name %s', async (name) => {
  const report = await imports.import(`imports/${name}`, 'uin,firstName\nA-1,Ada\n');
  expect(report.unreadable).toBe(
    'the name of a CSV file must contain one of the changes register and update: ' +
      'people.register.csv or people.update.csv',
  );
  expect(await imports.people()).toEqual({});
});

it('an import explains that a CSV file has no column for the change', async () => {
  const report = await imports.import('imports/a.register.csv', 'change,uin,firstName\nremove,A-1,Ada\n');
  expect(report.unreadable).toContain('the column change, because the name of a CSV file');
});

it('an import reports a misspelt column but does not repeat the header text, which may be personal data', async () => {
  const report = await imports.import('imports/columns.register.csv', 'uin,firstname\nA-1,Ada\n');
  expect(report.unreadable).toMatch(/column 2 is not known: did you mean firstName\? Known columns: /);
  expect(report.unreadable).not.toContain('firstname');
  expect(await imports.people()).toEqual({});
});

it('rows after a value with line breaks have the same line numbers as in a text editor', async () => {
  const rows = ['uin,firstName', 'A-1,"Ada\r\n\r\nByron"', '', 'A-2,Bob,', 'A-3,Eve', 'A-4'];
  const report = await imports.import('imports/a.register.csv', rows.join('\r\n'));
  expect(report).toMatchObject({ lines: 4, applied: { register: 0 }, rejected: 3 });
  expect(report.rejectedLines).toEqual([
    { line: 2, field: 'firstName', reason: 'must not contain control characters' },
    { line: 6, field: 'line', reason: 'has a different number of cells (3) than the first line (2)' },
    { line: 8, field: 'line', reason: 'has a different number of cells (1) than the first line (2)' },
  ]);
});

describe('a CSV file in another dialect', () => {
  const known = ['A-1', 'B-1', 'C-1'];
  const before = Object.fromEntries(known.map((uin) => [uin, { placeOfBirth: 'Bern' }]));
  const given = async (rows: string | Uint8Array, name = 'imports/dialect.update.csv') => {
    await imports.import(
      'imports/known.ndjson',
      ndjson(...known.map((uin) => register(uin, { placeOfBirth: 'Bern' }))),
    );
    return imports.import(name, rows);
  };
  const csv = (...rows: string[]): string => ['uin,placeOfBirth', ...rows, ''].join('\n');

  it.each([
    ['an unclosed quotation mark', csv('A-1,Rome', 'C-1,"Paris', 'B-1,Oslo'), 3],
    ['an unclosed quotation mark in a long file', csv('A-1,Rome', '', 'C-1,"', ...Array(40_000).fill('B-1,Oslo')), 4],
    ['a space before a quoted value', csv('A-1,Rome', 'C-1, "Paris', 'B-1,Oslo', 'France"'), 3],
    ['a space after a quoted value', csv('A-1,Rome', 'C-1,"Paris" ', 'B-1,Oslo'), 3],
    ['quotation marks that are not doubled', csv('A-1,Rome', 'C-1,"they say "Paris",', 'B-1,Oslo', 'or Rome"'), 3],
    ['a measurement in inches', csv('A-1,Rome', 'C-1,5" long', 'B-1,"Oslo', '"'), 3],
    ['a backslash before a quotation mark', csv('A-1,Rome', 'C-1,"in \\"Paris', 'B-1,Oslo', 'France\\""'), 3],
    ['a backslash at the end of a value', csv('A-1,Rome', 'C-1,"in \\",x"', 'B-1,Oslo'), 3],
    ['a row that is too long', csv('A-1,Rome', `C-1,${'x'.repeat(300_000)}`, 'B-1,Oslo'), 3],
  ])('a CSV file with %s is not applied, even if malformed lines are skipped', async (_how, rows, line) => {
    for (const name of ['imports/dialect.update.csv', 'imports/dialect.update.skip-malformed.csv']) {
      const report = await given(rows, name);
      expect(report.unreadable).toMatch(new RegExp(`^the record that begins in line ${line} (?:has|does not end)`));
      expect(report).toMatchObject({ applied: { update: 0 }, rejected: 0 });
    }
    expect(await imports.people()).toEqual(before);
  });

  it.each([
    ['a header that ends with CR', 'uin,placeOfBirth\rA-1,Rome\rB-1,Oslo\r', 'is not known'],
    ['apostrophes around the column names', "'uin';'placeOfBirth'\nA-1;Rome\n", 'must name the columns'],
    ['UTF-16 text', Buffer.from(csv('A-1,Rome'), 'utf16le'), 'must be UTF-8 text'],
    ['a header in Latin-1', Buffer.from('uin,placeOfBirth,M\u00e1laga\n', 'latin1'), 'must be UTF-8 text'],
  ])('a CSV file with %s is not applied, and the report gives the reason', async (_how, rows, reason) => {
    expect((await given(rows)).unreadable).toContain(reason);
    expect(await imports.people()).toEqual(before);
  });

  it.each([
    ['rows that end with CR', csv('A-1,Rome\rB-1,Oslo', 'C-1,Paris'), [2]],
    ['mixed line endings', 'uin,placeOfBirth\r\nA-1,Rome\nB-1,Oslo\rC-1,Paris\r\nC-1,Paris\r', [3, 4]],
    ['values in Latin-1', Buffer.from(csv('A-1,Rome', 'B-1,M\u00e1laga'), 'latin1'), [3]],
    ['a missing cell', csv('A-1,Rome', 'B-1', 'C-1,"Pa,ris"'), [3]],
    ['another delimiter in a row', csv('A-1,Rome', 'B-1;Oslo'), [3]],
    ['a line break in a value', csv('C-1,"Paris', 'B-1,Oslo', '"', 'A-1,Rome'), [2]],
    ['a zero byte after a quoted value', csv('A-1,Rome', 'B-1,"Oslo"\0'), [3]],
  ])('a CSV file with %s is not applied, and the report lists the malformed rows', async (_how, rows, lines) => {
    const report = await given(rows);
    expect(report.rejectedLines.map(({ line }) => line)).toEqual(lines);
    expect(report.unreadable).toMatch(/lines are malformed, and no line was applied/);
    expect(await imports.people()).toEqual(before);
  });

  it.each([
    ['semicolons', 'uin;placeOfBirth\nA-1;Rome, Italy\nB-1;"Oslo; Norway"\n', ['Rome, Italy', 'Oslo; Norway']],
    ['tabs', 'uin\tplaceOfBirth\nA-1\tRome; Italy\nB-1\tOslo, Norway\n', ['Rome; Italy', 'Oslo, Norway']],
    ['apostrophes as quotation marks', csv("A-1,'Rome'", "B-1,'Oslo"), ["'Rome'", "'Oslo"]],
    ['apostrophes around a line break', csv("A-1,'Rome", "B-1,Oslo'"), ["'Rome", "Oslo'"]],
    ['backslashes', csv('A-1,"Rome\\"', 'B-1,Os\\lo'), ['Rome\\', 'Os\\lo']],
    ['a byte order mark and CRLF', '\ufeffuin,placeOfBirth\r\nA-1,Rome\r\nB-1,Oslo', ['Rome', 'Oslo']],
    ['LF and CRLF', 'uin,placeOfBirth\nA-1,Rome\r\nB-1,Oslo\n', ['Rome', 'Oslo']],
    ['all cells quoted', '"uin","placeOfBirth"\n"A-1","Rome"\n"B-1","Oslo"\n', ['Rome', 'Oslo']],
    ['line breaks around a value', csv('A-1,"', 'Rome"', 'B-1,"Oslo', '"'), ['Rome', 'Oslo']],
  ])('an import reads a CSV file with %s correctly, using the delimiter in its header', async (_how, rows, [a, b]) => {
    expect(await given(rows)).toMatchObject({ lines: 2, applied: { update: 2 }, rejected: 0 });
    expect(await imports.people()).toEqual({ ...before, 'A-1': { placeOfBirth: a }, 'B-1': { placeOfBirth: b } });
  });
});
