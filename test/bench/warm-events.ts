import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LocalStack } from '../../infra/local/start.ts';
import { generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { scopes } from '../../shared/contract/scopes.ts';
import { hashToken } from '../../shared/domain/subscriptions/subscription-token.ts';
import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import { type Item, toItem } from '../../shared/storage/dynamo.ts';
import { rowOf } from '../../shared/storage/subscriptions/rows.ts';
import { aRequest, aSubscription, aTopic, tokenOf } from '../harness/builders.ts';
import { createCall } from '../harness/call.ts';
import { openDocuments } from '../harness/document-client.ts';
import { apiEvent } from '../harness/lambda-events.ts';
import { textPdf } from '../harness/pdf-files.ts';
import type { World } from '../harness/world.ts';
import { writeRequests } from '../harness/write-requests.ts';

/** For each operation, the event for the first request of a process and the event for later requests. */
export type Events = Readonly<Record<string, readonly [unknown, unknown]>>;

const rowsOfLists = 20;
const client = 'client-1';

// Typical request headers from an HTTP library, as API Gateway passes them to functions.
const headers = {
  Accept: 'application/json',
  'Accept-Encoding': 'gzip, deflate',
  Authorization: `Bearer ${'x'.repeat(800)}`,
  'Content-Type': 'application/json',
  Host: 'abcdefghij.execute-api.us-east-1.amazonaws.com',
  'User-Agent': 'civil-registration/2.1',
  'X-Amzn-Trace-Id': 'Root=1-5759e988-bd862e3fe1be46a994272793',
  'X-Forwarded-For': '192.0.2.1',
  'X-Forwarded-Port': '443',
  'X-Forwarded-Proto': 'https',
};

const person = {
  firstName: 'Inés',
  lastName: 'García Müller',
  dateOfBirth: '2024-02-29',
  placeOfBirth: 'Málaga',
  gender: 2,
};

/** A topic and subscriptions that exist only to be changed or deleted. */
interface Doomed {
  readonly topic: StoredTopic;
  readonly subscription: ReturnType<typeof aSubscription>;
  readonly asked: ReturnType<typeof aSubscription>;
}

function aDoomed(): Doomed {
  const topic = aTopic();
  const uuid = crypto.randomUUID();
  const now = Date.now();
  const request = aRequest({ caller: client, requestedAt: now, expiresAt: now + 86_400_000 });
  const requests = { [hashToken(tokenOf(uuid))]: request };
  return {
    topic,
    subscription: aSubscription(topic, { owner: client, activeSince: now }),
    asked: aSubscription(topic, { uuid, isActive: false, owner: client, requests, createdAt: now }),
  };
}

async function write(stack: LocalStack, tables: Readonly<Record<string, readonly Item[]>>): Promise<void> {
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const dynamodb = new DynamoDBClient({ endpoint: stack.outputs.dynamodbEndpoint, region: 'us-east-1', credentials });
  for (const [table, rows] of Object.entries(tables)) {
    const TableName = stack.outputs.resources.tables[table] ?? '';
    const puts = rows.map((Item) => ({ PutRequest: { Item } }));
    await writeRequests(dynamodb, TableName, puts);
  }
  dynamodb.destroy();
}

/** Stores the data that the operations need in a running stack, and returns the events for the operations. */
export async function warmEvents(stack: LocalStack): Promise<Events> {
  const { outputs } = stack;
  const token = await stack.issueToken({ scope: Object.keys(scopes).join(' ') });
  const call = createCall(outputs.baseUrl, token);
  const uin = (await call(generateUin, { body: person })).json;
  await openDocuments({ outputs, token, call } as World).put(uin, 'birth/-/certificate', textPdf());
  const topic = aTopic({ name: 'CR' });
  const doomed: readonly [Doomed, Doomed] = [aDoomed(), aDoomed()];
  const more = Array.from({ length: rowsOfLists }, () => aTopic());
  await write(stack, {
    topics: [topic, ...doomed.map((one) => one.topic), ...more].map(toItem),
    subscriptions: [
      ...doomed.flatMap(({ subscription, asked }) => [subscription, asked]),
      ...more.map((one) => aSubscription(one, { owner: client, activeSince: Date.now() })),
    ].map(rowOf),
  });

  const ask = (given: Parameters<typeof apiEvent>[0]) => apiEvent({ headers, caller: client, ...given });
  const same = (given: Parameters<typeof apiEvent>[0]) => [ask(given), ask(given)] as const;
  const each = (given: (one: Doomed, index: number) => Parameters<typeof apiEvent>[0]) =>
    [ask(given(doomed[0], 0)), ask(given(doomed[1], 1))] as const;
  const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });
  const path = { uin };
  return {
    generateUin: same(post(person)),
    findPersons: same({ query: 'lastName=GARCIA%20MULLER&dateOfBirth=2024-02-29' }),
    readPerson: same({ path, query: 'attributeNames=firstName&attributeNames=lastName&attributeNames=dateOfBirth' }),
    matchPerson: same({ path, ...post({ firstName: 'Ines', lastName: 'Garcia Muller' }) }),
    verifyPerson: same({
      path,
      ...post([{ attributeName: 'dateOfBirth', operator: '<=', value: '2026-01-01' }]),
    }),
    readDocument: same({ path, query: 'doctype=birth&format=pdf' }),
    createTopic: each((_, index) => ({ method: 'POST', query: `name=births-${index}` })),
    listTopics: same({}),
    publishEvent: same({ path: { uuid: topic.uuid }, query: 'subject=liveBirth', ...post({ source: 'CR', uin }) }),
    subscribe: each((_, index) => ({
      method: 'POST',
      query: `topic=CR&policy=10,5&address=${encodeURIComponent(`http://127.0.0.1:9/events/${index}`)}`,
    })),
    listSubscriptions: same({}),
    confirmSubscription: each(({ asked: { uuid } }) => ({ query: `token=${tokenOf(uuid)}` })),
    unsubscribe: each(({ subscription: { uuid } }) => ({ method: 'DELETE', path: { uuid } })),
    // The operation deleteTopic comes last, because it also deletes the subscriptions of the topic.
    deleteTopic: each(({ topic: { uuid } }) => ({ method: 'DELETE', path: { uuid } })),
  };
}
