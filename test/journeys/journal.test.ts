import { beforeAll, expect, test } from 'vitest';
import { readDocument } from '../../shared/contract/endpoints/documents-endpoints.ts';
import {
  findPersons,
  generateUin,
  readPerson,
  verifyPerson,
} from '../../shared/contract/endpoints/persons-endpoints.ts';
import { readJournal } from '../../shared/contract/jobs.ts';
import type { JournalPage } from '../../shared/domain/journal/journal-row.ts';
import { openDocuments } from '../harness/document-client.ts';
import { eventually } from '../harness/eventually.ts';
import { textPdf } from '../harness/pdf-files.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';
import { uniqueName } from '../harness/world.ts';

const { stack, world } = await openSeparateWorld({ purposeRequired: 'true' });
const { call } = world;
const documents = openDocuments(world);
const headers = { purpose: 'an inheritance' };
const client = uniqueName('notary');
const token = await world.tokenFor(['pr.person.read', 'pr.person.verify', 'pr.document.read'], client);

const journal = async (asked: object) => (await stack.invoke(readJournal.job, asked)) as JournalPage;

/** Returns the number of document responses in a person's journal. */
const readsOf = async (uin: string) =>
  (await journal({ uin })).rows.filter(({ operation }) => operation === readDocument.operation).length;

let uin = '';
beforeAll(async () => {
  uin = (await call(generateUin, { body: { firstName: 'Quillonia', lastName: 'Vexbarrow' } })).json;
  await documents.put(uin, 'birth/-/certificate.pdf', textPdf());
});

test('the journal shows who read which data about a person for which purpose, and includes each document response', async () => {
  const path = { uin };
  await call(readPerson, { path, query: { attributeNames: 'firstName' }, headers, token });
  await call(verifyPerson, { path, body: [], headers, token });
  await call(findPersons, { query: { lastName: 'vexbarrow', names: 'status' }, headers, token });
  const address = `${world.outputs.baseUrl}/v1/persons/${uin}/document?doctype=birth&format=pdf`;
  const asking = { headers: { ...headers, authorization: `Bearer ${token}` } };
  const first = await fetch(address, asking);
  const etag = String(first.headers.get('etag'));
  const again = await fetch(address, { headers: { ...asking.headers, 'if-none-match': etag } });
  const head = await fetch(address, { ...asking, method: 'HEAD' });
  expect([first.status, again.status, head.status]).toEqual([200, 304, 200]);

  const { rows, next } = await journal({ uin, purpose: 'asked by the person' });
  expect(next).toBeUndefined();
  expect(rows.filter(({ operation }) => operation !== readJournal.job)).toMatchObject([
    { operation: 'readPerson', names: ['firstName'] },
    { operation: 'verifyPerson', names: [] },
    { operation: 'findPersons', by: ['lastName'], names: ['status'] },
    { operation: readDocument.operation, doctype: 'birth' },
    { operation: readDocument.operation, doctype: 'birth' },
    { operation: readDocument.operation, doctype: 'birth' },
  ]);
  for (const row of rows.slice(0, 6)) {
    expect(row).toMatchObject({ uin, purpose: 'an inheritance', caller: expect.stringMatching(` ${client}$`) });
    expect(row.requestId).not.toBe('');
  }
  expect(JSON.stringify(await world.aws.rows('journal'))).not.toMatch(/Quillonia|Vexbarrow/i);
});

test('a request for a shared document is recorded in the journal of every person in the document', async () => {
  const [one = '', other = ''] = await Promise.all(
    ['One', 'Other'].map(async (firstName) => String((await call(generateUin, { body: { firstName } })).json)),
  );
  await documents.put(one, `marriage/${other}/certificate.pdf`, textPdf());
  const asked = { headers: { ...headers, authorization: `Bearer ${token}` } };
  const read = (uin: string) =>
    fetch(`${world.outputs.baseUrl}/v1/persons/${uin}/document?doctype=marriage&format=pdf`, asked);
  // S3 sends the event for a new document after a short delay.
  await eventually(async () => expect((await read(other)).status).toBe(200));
  const before = await Promise.all([one, other].map((uin) => readsOf(uin)));
  expect((await read(one)).status).toBe(200);
  expect((await read(other)).status).toBe(200);
  const after = await Promise.all([one, other].map((uin) => readsOf(uin)));
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([2, 2]);
});

test("an auditor can read a client's requests since a given time, by the client's short or full name", async () => {
  const { rows } = await journal({ caller: client });
  expect(rows.length).toBeGreaterThanOrEqual(6);
  const whole = String(rows[0]?.caller);
  expect((await journal({ caller: whole })).rows).toEqual(rows);
  const since = String(rows[2]?.at);
  expect((await journal({ caller: client, since })).rows).toEqual(rows.filter(({ at }) => at >= since));
  expect((await journal({ caller: 'no person' })).rows).toEqual([]);
  const own = (await journal({ caller: 'operator' })).rows;
  expect(own.map(({ ofCaller }) => ofCaller)).toContain(whole);
});

test('a request for the journal is itself recorded with its purpose, and the log contains none of the returned data', async () => {
  const { rows } = await journal({ uin });
  const own = rows.filter(({ operation }) => operation === readJournal.job);
  expect(own[0]).toMatchObject({ caller: 'operator', purpose: 'asked by the person' });
  const lines = world.logLines().filter((line) => line.startsWith(`${readJournal.job}: `));
  expect(lines.join()).toContain('"performed"');
  expect(lines.join()).not.toContain(uin);
  expect(lines.join()).not.toContain('inheritance');
});
