import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import {
  findPersons,
  generateUin,
  matchPerson,
  readPerson,
  verifyPerson,
} from '../../../shared/contract/endpoints/persons-endpoints.ts';
import { createTopic } from '../../../shared/contract/endpoints/topics-endpoints.ts';
import { sourceAddress } from '../../../shared/domain/documents/rendition.ts';
import { openDocuments } from '../../harness/document-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { textPdf } from '../../harness/pdf-files.ts';
import { uniqueName } from '../../harness/world.ts';
import type { Scene } from './backstage.ts';

const ada = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', spouseName: 'King', placeOfBirth: 'London' },
  ...{ dateOfBirth: '1815-12-10', dateOfDeath: '1852-11-27' },
};

/** Scenes for requests to the registry. */
export const registryScenes: Readonly<Record<string, Scene>> = {
  'a person is registered': async ({ call }) => {
    const query = { transactionId: uniqueName() };
    const register = async () => (await call(generateUin, { body: ada, query })).json;
    const [first, again] = [await register(), await register()];
    if (first !== again) throw new Error('a person is registered twice');
  },
  'a person is read, matched and verified': async ({ call }) => {
    const path = { uin: (await call(generateUin, { body: ada })).json };
    await call(readPerson, { path, query: { attributeNames: 'firstName' } });
    await call(matchPerson, { path, body: ada });
    await call(verifyPerson, { path, body: [{ attributeName: 'firstName', operator: '=', value: 'Ada' }] });
  },
  'persons are searched for': async ({ call }) => {
    const uin = (await call(generateUin, { body: ada })).json;
    const searches = [
      { dateOfBirth: ada.dateOfBirth, lastName: ada.lastName },
      { dateOfBirth: ada.dateOfBirth, placeOfBirth: ada.placeOfBirth },
      { dateOfDeath: ada.dateOfDeath },
      { spouseName: ada.spouseName },
      { firstName: ada.firstName },
      { lastName: ada.lastName, names: 'firstName' },
      { placeOfBirth: ada.placeOfBirth },
      { uin },
    ];
    for (const query of searches) (await call(findPersons, { query })).json;
    // Only searches that find more than 20 persons are counted.
    for (let number = 0; number < 21; number++)
      await call(generateUin, { body: { firstName: `N${number}`, lastName: 'Namesake' } });
    await call(findPersons, { query: { lastName: 'Namesake' } });
  },
  "an operator reads who accessed a person's data, and whose data a caller accessed": async ({ invoke }) => {
    await invoke('readJournal', { uin: '1' });
    await invoke('readJournal', { caller: 'journeys' });
  },
  'a certificate is fetched': async ({ world }) => {
    const documents = openDocuments(world);
    const uin = await documents.newPerson();
    // The service caches conversions, so each run needs a file that has not been converted.
    const fresh = Buffer.concat([textPdf(), Buffer.from(`%${uniqueName()}\n`)]);
    await documents.put(uin, 'birth/-/certificate.pdf', fresh);
    const truncated = Buffer.concat([fresh.subarray(0, 200), Buffer.from(uniqueName())]);
    await documents.put(uin, 'death/-/certificate.pdf', truncated);
    for (const format of ['pdf', 'png', 'png']) {
      const { status } = await documents.get(uin, { doctype: 'birth', format });
      if (status !== 200) throw new Error(`${status} was returned`);
    }
    const { status } = await documents.get(uin, { doctype: 'death', format: 'png' });
    if (status !== 415) throw new Error(`a truncated certificate returned ${status}`);
  },
  'changes to persons are imported': async ({ world, call, freeTurn }) => {
    await freeTurn();
    const documents = openDocuments(world);
    await call(createTopic, { query: { name: 'changes' } });
    const [kept, duplicate, removed] = [uniqueName(), uniqueName(), uniqueName()];
    for (const uin of [duplicate, removed]) await documents.put(uin, 'birth/-/certificate.pdf', textPdf());
    await documents.put(duplicate, `marriage/${removed}/certificate.pdf`, textPdf());
    const etag = createHash('md5').update(textPdf()).digest('hex');
    const source = { key: `documents/${removed}/birth/-/certificate.pdf`, etag };
    await documents.putObject(`renditions/${sourceAddress(source)}/any/p0001.png`, Buffer.from('png'));
    const register = (uin: string) => ({ change: 'register', uin, attributes: ada, publish: true });
    const lines = [
      ...[register(kept), register(duplicate), register(removed), { change: 'register', attributes: ada }],
      { change: 'update', uin: kept, attributes: { status: 'alive' } },
      { change: 'merge', keep: kept, duplicates: [duplicate] },
      { change: 'remove', uin: removed },
      { change: 'nothing' },
    ];
    const key = `imports/${uniqueName()}.skip-malformed.ndjson`;
    await documents.putObject(key, Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')));
    const report = await eventually(() => documents.read(`${key}.report.json`));
    const { applied } = JSON.parse(Buffer.from(report).toString());
    if (applied.register !== 4 || applied.merge !== 1 || applied.remove !== 1) throw new Error(JSON.stringify(applied));
    const late = await documents.put(removed, 'birth/-/late.pdf', textPdf());
    // When S3 reports the document, the function deletes it because the person has been removed.
    await eventually(async () => {
      await expect(documents.read(late)).rejects.toThrow();
    }, 30_000);
  },
};
