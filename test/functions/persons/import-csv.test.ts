import { describe, expect, it } from 'vitest';
import { ndjson, useImports } from '../../harness/import-harness.ts';

const imports = useImports();
const register = (uin: string, attributes: object) => ({ change: 'register', uin, attributes });

it('an import reads CSV with a header, empty cells, \\N and quoted values', async () => {
  const text = [
    '\ufeffchange;uin;id;firstName;lastName;gender;dateOfBirth',
    'register;A-1;;"Ada ""the first""; Countess";Byron;2;1815-12-10',
    '',
    'register;;birth-1;Zoë;;;',
    'update;A-1;;;\\N;9;',
    'update;A-1;;not "at the" beginning;;;',
    'update;A-1;;;;;',
    'remove;B-1;;;;;',
    'register;B-2;;Ada',
  ].join('\r\n');
  const report = await imports.import('imports/people.csv', text);
  expect(report).toMatchObject({ lines: 7, applied: { register: 2, update: 1 }, rejected: 4 });
  expect(report.rejectedLines.map(({ line, field }) => `${line} ${field}`)).toEqual([
    ...['6 line', '7 attributes', '8 uin', '9 line'],
  ]);
  const { 'A-1': ada, ...others } = await imports.people();
  expect(ada).toEqual({ firstName: 'Ada "the first"; Countess', gender: 9, dateOfBirth: '1815-12-10' });
  expect(Object.values(others)).toEqual([{ firstName: 'Zoë' }]);
});

it('an import reports a misspelt column but does not repeat the header text, which may be personal data', async () => {
  const report = await imports.import('imports/columns.csv', 'change,uin,firstname\nregister,A-1,Ada\n');
  expect(report.unreadable).toMatch(
    /^column 3 of the first line is not known: did you mean firstName\? Known columns: /,
  );
  expect(report.unreadable).not.toContain('firstname');
  expect(await imports.people()).toEqual({});
});

it('an import rejects a CSV line that contains a lone carriage return, and continues with the next line', async () => {
  const text = 'change,uin,firstName\nregister,A-1,Ada\rregister,A-2,Bob\nregister,A-3,Eve\n';
  const report = await imports.import('imports/lone.csv', text);
  expect(report).toMatchObject({ lines: 2, applied: { register: 1 }, rejectedLines: [{ line: 2, field: 'line' }] });
  expect(Object.keys(await imports.people())).toEqual(['A-3']);
});

describe('a CSV value with a line break', () => {
  const known = ['A-1', 'B-1', 'C-1', 'D-1'];
  const csv = (...lines: string[]): string => ['change,uin,placeOfBirth', ...lines, ''].join('\r\n');
  const registered = () =>
    imports.import('imports/known.ndjson', ndjson(...known.map((uin) => register(uin, { firstName: 'Ada' }))));
  const inTwo = 'must not contain a line break in a value: the record ends in line';

  it('is rejected together with all its lines, and none of these lines is applied', async () => {
    await registered();
    const latin1 = Buffer.from(csv('update,A-1,"Málaga', 'remove,B-1,', 'Spain"', 'update,D-1,Rome'), 'latin1');
    const text = csv(
      'update,A-1,"Paris',
      'remove,B-1,"',
      'update,C-1,"a ""b""',
      'remove,B-1,""',
      '"',
      'update,D-1,Oslo',
    );
    expect(await imports.import('imports/lines.csv', text)).toMatchObject({
      ...{ lines: 3, applied: { update: 1, remove: 0 } },
      rejectedLines: [
        { line: 2, field: 'line', reason: expect.stringContaining(`${inTwo} 3`) },
        { line: 4, field: 'line', reason: expect.stringContaining(`${inTwo} 6`) },
      ],
    });
    const report = await imports.import('imports/latin1.csv', latin1);
    expect(report).toMatchObject({ lines: 2, applied: { update: 1 }, rejectedLines: [{ line: 2 }] });
    const people = await imports.people();
    expect(Object.keys(people).toSorted()).toEqual(known);
    expect(people['D-1']).toMatchObject({ placeOfBirth: 'Rome' });
    expect(people['A-1']).not.toHaveProperty('placeOfBirth');
  });

  it.each([
    ['that extends to the end of the file', ['update,D-1,"Rome', 'remove,B-1,']],
    [
      'that is longer than the maximum length of a line',
      ['update,D-1,"Rome', ...Array(20_000).fill('remove,B-1,Paris'), 'x"', 'remove,B-1,'],
    ],
    [
      'that starts in a line that is too long',
      [`update,D-1,"${'x'.repeat(300_000)}`, 'remove,B-1,', '"', 'remove,B-1,'],
    ],
    ['after a space', ['update,D-1, "Rome', 'remove,B-1,', 'Italy"']],
    ['after a value that contains a quotation mark', ['update,D-1 5" long,"Rome', 'remove,B-1,', 'Italy"']],
    [
      'that contains quotation marks without doubling them',
      ['update,D-1,"they say "Rome", then', 'remove,B-1,', 'Italy"'],
    ],
    ['that contains a measurement in inches', ['update,D-1,"5" pipe', 'remove,B-1,', 'end"']],
    ['that contains a backslash and a quotation mark', ['update,D-1,"they say \\"Rome', 'remove,B-1,', 'Italy"']],
    [
      'that has a backslash and a quotation mark before the line break',
      ['update,D-1,"in \\"', 'remove,B-1,', 'Italy"'],
    ],
    [
      'after a space and a value that contains a quotation mark',
      ['update,D-1, 5" long, "Rome', 'remove,B-1,', 'Italy"'],
    ],
    ['that contains a quotation mark and a comma', ['update,D-1,"5", long', 'remove,B-1,', 'end"']],
    [
      'before a value that contains a quotation mark',
      ['update,D-1,"Rome', '",5" long', 'update,C-1,"Bern', 'remove,B-1,', '"'],
    ],
  ])('%s stops the import before the first line of the value, and the report states this', async (_how, lines) => {
    await registered();
    const report = await imports.import('imports/open.csv', csv('update,A-1,Paris', ...lines));
    expect(report).toMatchObject({ lines: 1, applied: { update: 1 }, rejected: 0 });
    expect(report.unreadable).toMatch(/^line 3 .*: the import stopped before this line$/);
    expect(Object.keys(await imports.people()).toSorted()).toEqual(known);
  });
});
