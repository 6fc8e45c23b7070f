import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { bucketNotifications, buckets } from '../../../shared/contract/buckets.ts';
import { personRow } from '../../../shared/storage/persons/rows.ts';
import { aBucketEvent } from '../../harness/bucket-event.ts';
import { apiEvent } from '../../harness/lambda-events.ts';
import type { Chance } from '../clock/chance.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import type { MemoryDynamodb } from '../dynamodb/memory-dynamodb.ts';
import type { FunctionFacts, Platform } from '../lambda/platform.ts';
import { MemoryS3 } from '../s3/memory-s3.ts';
import type { MemorySqs } from '../sqs/sqs.ts';
import { apiFunctions } from './deployed.ts';
import type { ImportHistory, PutFile } from './import-history.ts';
import type { Plan } from './plan.ts';
import { type ImportAct, importedUins, others, textOfFile } from './plan-imports.ts';

interface ImportingTools {
  readonly plan: Plan;
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly platform: Platform;
  readonly sqs: MemorySqs;
  readonly database: MemoryDynamodb;
  readonly history: ImportHistory;
  readonly trace: (what: string) => void;
}

const triesOfClient = 4;
// S3 tells of an object within seconds, typically ("Amazon S3 Event Notifications").
const mostTellMs = 5000;
const reportEnd = '.report.json';

/** What a document of a person says, as long as it is anywhere. */
export const documentOf = (uin: string): string => `birth of ${uin}`;

/** The bucket of documents, which tells of files of changes, and those who put them there. */
export function importingOf({ plan, clock, chance, platform, sqs, database, history, trace }: ImportingTools) {
  const told = bucketNotifications.documents.find(({ queue }) => queue === 'imports');
  const isTold = (key: string): boolean =>
    told !== undefined && key.startsWith(told.prefix) && (told.suffixes ?? ['']).some((end) => key.endsWith(end));

  function tell(key: string, versionId: string | undefined): void {
    const event = aBucketEvent(key);
    for (const { s3 } of event.Records) if (versionId !== undefined) Object.assign(s3.object, { versionId });
    sqs.queueAt('imports').send(JSON.stringify(event), '', chance.int(0, mostTellMs));
  }

  const s3 = new MemoryS3({
    isVersioned: plan.isVersioned,
    pageKeys: () => (chance.happens(plan.pageEnds) ? 1 : 1000),
    onPut(key, versionId, bytes) {
      if (isTold(key)) tell(key, versionId);
      if (key.endsWith(reportEnd)) history.reports.push({ key, text: bytes.toString() });
    },
  });

  async function call(facts: FunctionFacts, request: Parameters<typeof apiEvent>[0]) {
    const ending = await platform.invoke(facts, apiEvent(request));
    if (ending.is !== 'answered') return undefined;
    const { statusCode, body } = ending.answer as APIGatewayProxyResult;
    return { status: statusCode, json: body === '' ? undefined : JSON.parse(body) };
  }

  async function mint({ number, isKeyed }: ImportAct & { act: 'mint' }): Promise<void> {
    const headers = isKeyed ? { 'idempotency-key': `mint ${number}` } : {};
    const body = JSON.stringify({ firstName: `minted ${number}` });
    let uin: string | undefined;
    for (let tries = 0; tries < (isKeyed ? triesOfClient : 1) && uin === undefined; tries++) {
      const answer = await call(apiFunctions.mint, { method: 'POST', body, headers });
      if (answer?.status === 200) uin = answer.json;
      else await clock.sleep(chance.int(100, 5000));
    }
    history.mints.push({ number, isKeyed, uin });
  }

  async function read(uin: string): Promise<void> {
    const from = clock.now();
    const query = 'attributeNames=lastName&attributeNames=placeOfBirth';
    const answer = await call(apiFunctions.readPerson, { path: { uin }, query });
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
    /** Everybody who is there from the beginning, and their documents. */
    async begin(): Promise<void> {
      if (!plan.hasImports) return;
      for (const uin of others)
        await database.send(new PutItemCommand({ TableName: 'persons', Item: personRow(uin, { lastName: uin }) }));
      for (const uin of [...importedUins, ...others])
        s3.put(`${buckets.documents.documents}${uin}/birth/-/${uin}.pdf`, documentOf(uin));
    },
    async do(act: ImportAct): Promise<void> {
      if (act.act === 'putFile') put(act.file);
      else if (act.act === 'mint') await mint(act);
      else if (act.act === 'read') await read(act.uin);
      else {
        const last = history.files.findLast(({ file }) => file.key === act.file.key);
        if (last !== undefined) tell(act.file.key, last.versionId);
      }
    },
  };
}
