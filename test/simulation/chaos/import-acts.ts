import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { bucketNotifications, buckets } from '../../../shared/contract/buckets.ts';
import { personRow } from '../../../shared/storage/persons/rows.ts';
import { aBucketEvent } from '../../harness/bucket-event.ts';
import type { MemoryDynamodb } from '../dynamodb/memory-dynamodb.ts';
import { MemoryS3 } from '../s3/memory-s3.ts';
import { type ActTools, callApi } from './acts.ts';
import { apiFunctions } from './deployed.ts';
import type { ImportHistory, PutFile } from './import-history.ts';
import type { Plan } from './plan.ts';
import { type ImportAct, importedUins, textOfFile, untouchedUins } from './plan-imports.ts';

interface ImportActTools extends ActTools<ImportHistory> {
  readonly plan: Plan;
  readonly database: MemoryDynamodb;
}

const clientAttempts = 4;
// S3 typically delivers an event within seconds ("Amazon S3 Event Notifications").
const maxEventDelayMs = 5000;
const reportEnd = '.report.json';

/** Returns the content of a person's document. */
export const documentOf = (uin: string): string => `birth of ${uin}`;

/**
 * Returns a bucket that sends S3 events, and functions that simulate clients. The clients upload files, register
 * persons and read persons.
 */
export function importActsOf({ plan, clock, chance, platform, sqs, database, history, trace }: ImportActTools) {
  const notification = bucketNotifications.documents.find(({ queue }) => queue === 'imports');
  const isNotified = (key: string): boolean =>
    notification !== undefined &&
    key.startsWith(notification.prefix) &&
    (notification.suffixes ?? ['']).some((end) => key.endsWith(end));

  function sendEvent(key: string, versionId: string | undefined): void {
    const event = aBucketEvent(key);
    for (const { s3 } of event.Records) if (versionId !== undefined) Object.assign(s3.object, { versionId });
    sqs.queueAt('imports').send(JSON.stringify(event), '', chance.int(0, maxEventDelayMs));
  }

  const s3 = new MemoryS3({
    isVersioned: plan.isVersioned,
    pageKeys: () => (chance.happens(plan.pageEnds) ? 1 : 1000),
    onPut(key, versionId, bytes) {
      if (isNotified(key)) sendEvent(key, versionId);
      if (key.endsWith(reportEnd)) history.reports.push({ key, text: bytes.toString() });
    },
  });

  async function register({ number, isKeyed }: ImportAct & { act: 'generateUin' }): Promise<void> {
    const headers = isKeyed ? { 'idempotency-key': `registration ${number}` } : {};
    const body = JSON.stringify({ firstName: `registered ${number}` });
    let uin: string | undefined;
    for (let tries = 0; tries < (isKeyed ? clientAttempts : 1) && uin === undefined; tries++) {
      const answer = await callApi(platform, apiFunctions.generateUin, { method: 'POST', body, headers });
      if (answer?.status === 200) uin = answer.json;
      else await clock.sleep(chance.int(100, 5000));
    }
    history.registrations.push({ number, isKeyed, uin });
  }

  async function read(uin: string): Promise<void> {
    const from = clock.now();
    const query = 'attributeNames=lastName&attributeNames=placeOfBirth';
    const answer = await callApi(platform, apiFunctions.readPerson, { path: { uin }, query });
    if (answer === undefined) return;
    history.reads.push({ uin, from, to: clock.now(), status: answer.status, attributes: answer.json });
  }

  function put(file: PutFile['file']): void {
    const text = textOfFile(file);
    const { versionId } = s3.put(file.key, text);
    trace(`put ${file.key} ${versionId ?? ''}\n${text}`);
    history.files.push({ file, text, versionId });
  }

  return {
    s3,
    /** Stores the initial persons and documents in the simulated services. */
    async begin(): Promise<void> {
      if (!plan.hasImports) return;
      for (const uin of untouchedUins)
        await database.send(new PutItemCommand({ TableName: 'persons', Item: personRow(uin, { lastName: uin }) }));
      for (const uin of [...importedUins, ...untouchedUins])
        s3.put(`${buckets.documents.documents}${uin}/birth/-/${uin}.pdf`, documentOf(uin));
    },
    async do(act: ImportAct): Promise<void> {
      if (act.act === 'putFile') put(act.file);
      else if (act.act === 'generateUin') await register(act);
      else if (act.act === 'read') await read(act.uin);
      else {
        const last = history.files.findLast(({ file }) => file.key === act.file.key);
        if (last !== undefined) sendEvent(act.file.key, last.versionId);
      }
    },
  };
}
