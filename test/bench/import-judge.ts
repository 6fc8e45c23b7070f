import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { FanOutPayload } from '../../shared/domain/deliveries/message.ts';
import { nameUuid } from '../../shared/domain/name-uuid.ts';
import { formerKey, personKey } from '../../shared/storage/persons/rows.ts';
import { bucketOfTests as Bucket } from '../harness/variables.ts';
import type { Bystanders } from './import-bystanders.ts';
import type { Expected } from './import-expected.ts';
import type { ImportWorld } from './import-world.ts';

interface Judged {
  readonly world: ImportWorld;
  readonly key: string;
  readonly importId: string;
  readonly expected: Expected;
  readonly bystanders: Bystanders;
}

type Row = Readonly<Record<string, unknown>>;

async function* rowsOf({ dynamo }: ImportWorld, TableName: string, ...names: string[]): AsyncGenerator<Row> {
  const projected = {
    ProjectionExpression: names.map((_, index) => `#n${index}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])),
  };
  for await (const { Items = [] } of paginateScan({ client: dynamo }, { TableName, ...projected })) {
    for (const item of Items) yield unmarshall(item);
  }
}

/** Counts persons who are missing, who differ from the lines, or who should not exist. */
async function judgePersons({ world, importId, expected, bystanders }: Judged) {
  const { people, lastLines, minted } = expected;
  const wrong = { lost: 0, other: 0, doubled: 0 };
  const [found, named] = [new Set<string>(), new Set<string>()];
  const isLast = (uin: string, last: unknown): boolean => {
    const { importId: by, line } = last as { importId?: string; line?: number };
    return by === importId && line === lastLines.get(uin);
  };
  for await (const { id, attributes, lastChange = {} } of rowsOf(world, 'persons', 'id', 'attributes', 'lastChange')) {
    const [, uin = ''] = String(id).split(/#(.*)/);
    const one = people.get(uin);
    if (id === formerKey(uin).id?.S) {
      if (one !== undefined || !isLast(uin, lastChange)) wrong.other += 1;
      else found.add(uin);
    }
    if (id !== personKey(uin).id?.S) continue;
    const { lastName } = attributes as { lastName?: string };
    if (one !== undefined) {
      if (!isDeepStrictEqual(attributes, one) || !isLast(uin, lastChange)) wrong.other += 1;
      found.add(uin);
    } else if (bystanders.people.has(uin)) {
      if (!isDeepStrictEqual(attributes, bystanders.people.get(uin))) wrong.other += 1;
      found.add(uin);
    } else if (lastName !== undefined && minted.has(lastName) && !named.has(lastName)) named.add(lastName);
    else wrong.doubled += 1;
  }
  for (const uin of [...lastLines.keys(), ...bystanders.people.keys()]) if (!found.has(uin)) wrong.lost += 1;
  return { ...wrong, lost: wrong.lost + minted.size - named.size };
}

/** Counts missing events, and events that were published more than once. */
async function judgeEvents({ world, importId, expected }: Judged) {
  const { fauxqs, topic } = world;
  const wanted = new Set(
    expected.published.map((line) => nameUuid('change', importId, String(line), topic.generation)),
  );
  const publications = new Map<string, string>();
  let doubled = 0;
  for (const { body } of fauxqs.inspectQueue('fanOut')?.messages.ready ?? []) {
    const { publicationId, notification } = JSON.parse(body) as FanOutPayload;
    const { messageId } = notification;
    const known = publications.get(messageId) ?? publicationId;
    if (!wanted.has(messageId) || known !== publicationId) doubled += 1;
    publications.set(messageId, publicationId);
  }
  let rows = 0;
  for await (const { messageId } of rowsOf(world, 'deliveries', 'messageId')) {
    if (wanted.has(String(messageId))) rows += 1;
    else doubled += 1;
  }
  return { lost: 2 * wanted.size - publications.size - rows, doubled };
}

/** Returns how many lines were applied more than once, according to the recorded line numbers. */
function judgeNotes({ world }: Judged): number {
  const bytes = readFileSync(world.notes);
  const lines = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  return lines.length - new Set(lines).size;
}

async function isReportRight({ world, key, expected }: Judged): Promise<boolean> {
  const { Body } = await world.s3.send(new GetObjectCommand({ Bucket, Key: `${key}.report.json` }));
  const { lines, applied, repeated, rejected } = JSON.parse((await Body?.transformToString()) ?? '{}');
  return isDeepStrictEqual({ lines, applied, repeated, rejected }, expected.counts);
}

/** Compares the stored data with the expected result. */
export async function judge(judged: Judged) {
  const [persons, events] = [await judgePersons(judged), await judgeEvents(judged)];
  return {
    lost: persons.lost + events.lost,
    doubled: persons.doubled + events.doubled + judgeNotes(judged),
    other: persons.other,
    isReportRight: await isReportRight(judged),
  };
}
