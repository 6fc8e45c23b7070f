import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { aBucketEvent, aTestMessage } from '../../harness/bucket-event.ts';
import { ndjson, register, update, useImports } from '../../harness/import-harness.ts';

const imports = useImports();

const found = async (query: string): Promise<string[]> => (await imports.call(findPersons, { query })).json;

it('an import registers and updates persons, and applies the lines about a person in order', async () => {
  const report = await imports.apply(
    register('A-1', { firstName: '  Ada ', lastName: 'Byron', gender: 2 }),
    register('B-1', { firstName: 'Zoe\u0308' }),
    update('A-1', { lastName: 'King', status: 'missing' }),
    update('A-1', { status: 'found' }),
    update('A-1', { status: 'missing', gender: null }),
  );
  expect(report).toMatchObject({ lines: 5, applied: { register: 2, update: 3 }, repeated: 0, rejected: 0 });
  expect(report.rejectedLines).toEqual([]);
  expect(imports.lines.info.join()).toMatch(/"update":3,.*"lines":5,.*"isReadable":true/);
  expect(await imports.people()).toEqual({
    'A-1': { firstName: 'Ada', lastName: 'King', status: 'missing' },
    'B-1': { firstName: 'Zo\u00eb' },
  });
  expect(await found('lastName=KING&firstName=ada')).toEqual(['A-1']);
  expect(await found('lastName=byron')).toEqual([]);
  expect(await found('firstName=zoe')).toEqual(['B-1']);
});

it('an import mints exactly one UIN for each line that has no UIN', async () => {
  const line = register(undefined, { firstName: 'Ada' });
  const report = await imports.apply(line, line);
  expect(report.applied).toMatchObject({ register: 2 });
  const people = await imports.people();
  expect(Object.values(people)).toEqual([{ firstName: 'Ada' }, { firstName: 'Ada' }]);
  for (const uin of Object.keys(people)) expect(uin).toMatch(/^\d{12}$/);
});

it('an import reports the line number, field and reason for each rejected line, but no values', async () => {
  const secret = 'Xyzzy';
  const report = await imports.import(
    'imports/wrong.skip-malformed.ndjson',
    [
      '{"change":"register"',
      JSON.stringify(register('A-1', { firstName: 'Ada' })),
      JSON.stringify(register('A-1', { firstName: secret })),
      JSON.stringify(register('A/2', { firstName: secret })),
      JSON.stringify(update('A-1', { gender: secret })),
      JSON.stringify(update('A-1', { firstname: secret })),
      JSON.stringify(update(secret, { firstName: 'Ada' })),
      JSON.stringify({ ...update('A-1', { firstName: secret }), [secret]: 1 }),
      JSON.stringify({ ...update('A-1', { firstName: secret }), publish: true }),
      JSON.stringify({ change: secret }),
      JSON.stringify({ change: 'update', attributes: { firstName: secret } }),
      `{"change":"remove","uin":"A-1","uin":"${secret}"}`,
      '[]',
    ].join('\n'),
  );
  expect(report).toMatchObject({ lines: 13, applied: { register: 1, update: 0 }, rejected: 12 });
  expect(report.rejectedLines.map(({ line, field }) => `${line} ${field}`)).toEqual([
    ...['1 line', '3 uin', '4 uin', '5 gender', '6 attributes', '7 uin', '8 line', '9 publish', '10 change', '11 uin'],
    ...['12 line', '13 line'],
  ]);
  expect(report.rejectedLines[4]?.reason).toContain('did you mean firstName?');
  expect(JSON.stringify(report)).not.toContain(secret);
  expect(JSON.stringify(imports.lines)).not.toContain(secret);
  expect(await imports.people()).toEqual({ 'A-1': { firstName: 'Ada' } });
});

it('an import explains how to correct misspelt, blank or malformed fields', async () => {
  const ada = { firstName: 'Ada' };
  const report = await imports.import(
    'imports/mend.skip-malformed.ndjson',
    ndjson(
      { ...register('A-1', ada), change: 'Register' },
      { ...register('A-1', ada), uin: null },
      register('-A', ada),
      update('A-1', { lastName: ' ' }),
      { ...update('A-1', ada), publish: true },
      register('A-1', ada),
      { ...update('A-1', ada), publish: true },
    ),
  );
  expect(report.rejectedLines.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
    'change must be one of register, update, merge, remove: did you mean register?',
    'uin must be a string; leave it out to mint one',
    expect.stringMatching(/^uin must match \S*A-Za-z0-9\S* \(the uinFormat setting\) and contain none of/),
    'lastName must not be blank: use null (\\N in CSV) to remove the attribute',
    'uin does not exist in this registry',
    expect.stringMatching(/^publish has no topic to publish to: create the topic named in the changesTopic setting/),
  ]);
});

it('an import accepts all line endings, skips blank lines and numbers lines as a text editor does', async () => {
  const text = `\ufeff${JSON.stringify(register('A-1', { firstName: 'Ada' }))}\r\n\r\n   \n${JSON.stringify(update('A-1', { lastName: 'K' }))}\r\nno\n${JSON.stringify(update('A-1', { status: 'x' }))}`;
  const report = await imports.import('imports/ends.skip-malformed.ndjson', text);
  expect(report).toMatchObject({ lines: 4, applied: { register: 1, update: 2 }, rejected: 1 });
  expect(report.rejectedLines.map(({ line }) => line)).toEqual([5]);
  expect(await imports.people()).toEqual({ 'A-1': { firstName: 'Ada', lastName: 'K', status: 'x' } });
});

it('an import rejects a line that is not UTF-8, and continues with the next line', async () => {
  const body = Buffer.concat([
    Buffer.from(ndjson(register('A-1', { firstName: 'Ada' }))),
    Buffer.from([0x22, 0xe9, 0x22, 0x0a]),
    Buffer.from(ndjson(register('B-1', { firstName: 'Bob' }))),
  ]);
  const report = await imports.import('imports/latin1.skip-malformed.ndjson', body);
  expect(report).toMatchObject({ lines: 3, applied: { register: 2 }, rejected: 1 });
  expect(report.rejectedLines).toMatchObject([{ line: 2, reason: expect.stringContaining('must be in UTF-8') }]);
});

it('an import rejects a file with a line that is too long, even if malformed lines are skipped', async () => {
  const body = `${ndjson(register('A-1', { firstName: 'Ada' }))}${'x'.repeat(3 * 1024 * 1024)}\n`;
  const report = await imports.import('imports/long.skip-malformed.ndjson', body);
  expect(report.unreadable).toMatch(/^the record that begins in line 2 does not end within 262144 bytes/);
  expect(await imports.people()).toEqual({});
});

it.each([
  ['empty.ndjson', '', 'the file is empty'],
  ['blank.ndjson', '\n\n', 'the file has no lines'],
  ['utf16.ndjson', Buffer.from('{"change":"remove"}\n', 'utf16le'), 'the file must be UTF-8 text'],
  ['marked.ndjson', Buffer.from('\ufeff{"change":"remove"}\n', 'utf16le'), 'the file must be UTF-8 text'],
  ['headless.register.csv', 'A-1,Ada\n', 'the first line must name the columns'],
])('an import reports why it cannot read the file %s', async (name, body, reason) => {
  const report = await imports.import(`imports/${name}`, body);
  expect(report.unreadable).toContain(reason);
  expect(report.lines).toBe(0);
  expect(await imports.keys('imports/parts/')).toEqual([]);
});

it('an import applies a file only once even if S3 repeats the event, and reports if a second file has the same content', async () => {
  const text = ndjson(register('A-1', { status: 'missing' }), update('A-1', { status: 'found' }));
  await imports.import('imports/a.ndjson', text);
  await imports.import('imports/b.ndjson', ndjson(update('A-1', { status: 'lost' })));
  await imports.tell('imports/a.ndjson');
  expect((await imports.report('imports/a.ndjson')).lines).toBe(2);
  const copy = await imports.import('imports/c.ndjson', text);
  expect(copy).toMatchObject({ repeats: { file: 'imports/a.ndjson', lines: 2 }, lines: 0, rejectedLines: [] });
  expect(await imports.people()).toEqual({ 'A-1': { status: 'lost' } });
});

it('an import writes a new report if the file is changed back to its earlier content', async () => {
  const [one, other] = [ndjson(register('A-1', { status: 'missing' })), ndjson(update('A-1', { status: 'found' }))];
  for (const [put, text] of [one, other, one].entries()) {
    await imports.put('imports/daily.ndjson', text);
    const { Records } = aBucketEvent('imports/daily.ndjson');
    for (const { s3 } of Records) s3.object.sequencer = `0${put}`;
    await imports.invoke({ Records });
  }
  expect(await imports.report('imports/daily.ndjson')).toMatchObject({
    ...{ repeats: { file: 'imports/daily.ndjson' }, sha256: createHash('sha256').update(one).digest('hex') },
  });
  expect(await imports.people()).toEqual({ 'A-1': { status: 'found' } });
});

it('an import accepts a file from a bucket without versioning', async () => {
  await imports.put('imports/a.ndjson', ndjson(register('A-1', { status: 'missing' })));
  const [told] = aBucketEvent('imports/a.ndjson').Records;
  const object = { ...told?.s3.object, versionId: null };
  expect(await imports.invoke({ Records: [{ s3: { object } }] })).toEqual({ batchItemFailures: [] });
  expect(await imports.report('imports/a.ndjson')).toMatchObject({ applied: { register: 1 } });
  // S3 repeats the event for the same upload.
  await imports.tell('imports/a.ndjson');
  expect(await imports.report('imports/a.ndjson')).toMatchObject({ applied: { register: 1 } });
});

it('the import worker ignores S3 test notifications and notifications about deleted files', async () => {
  expect(await imports.invoke(aTestMessage)).toEqual({ batchItemFailures: [] });
  expect(await imports.tell('imports/gone.ndjson')).toEqual({ batchItemFailures: [] });
  expect(imports.lines.error).toEqual([]);
  expect(await imports.rows('persons')).toEqual([]);
});

it.each([
  ['ends if listing is denied', 'x is not authorized to perform: s3:ListBucket on resource: "arn:aws:s3:::b"', 0],
  [
    'retries if reading is denied',
    'arn:x is not authorized to perform: s3:GetObject on resource: "arn:aws:s3:::b/k"',
    1,
  ],
  ['retries if decrypting is denied', 'arn:x is not authorized to perform: kms:Decrypt on the resource', 1],
])('an import %s', async (_, message, failures) => {
  await imports.put('imports/denied.ndjson', ndjson(register('A-1', { firstName: 'Ada' })));
  imports.interfere({
    call: ({ command }, go) =>
      command === 'GetObject' ? Promise.reject(Object.assign(new Error(message), { name: 'AccessDenied' })) : go(),
  });
  const { batchItemFailures } = await imports.tell('imports/denied.ndjson');
  imports.interfere({});
  expect(batchItemFailures).toHaveLength(failures);
  expect(await imports.keys('imports/')).toEqual(['imports/denied.ndjson']);
});

it('an import reports that its file takes too long to read in one run', async () => {
  await imports.put('imports/heavy.ndjson', ndjson(register('A-1', { firstName: 'Ada' })));
  await imports.tell('imports/heavy.ndjson', () => 9_000);
  expect((await imports.report('imports/heavy.ndjson')).unreadable).toContain('took too long');
  expect(await imports.people()).toEqual({});
});
