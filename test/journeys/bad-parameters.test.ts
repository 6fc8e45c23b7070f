import { afterAll, describe, expect, test } from 'vitest';
import { type Endpoint, hasReplyOf } from '../../shared/contract/endpoint.ts';
import { subscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { queues } from '../../shared/contract/queue-names.ts';
import { tables } from '../../shared/contract/tables.ts';
import type { Input } from '../harness/call.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';
import { wrongValues } from '../harness/wrong-values.ts';

const { world } = await openSeparateWorld();
const { call, newTopic, aws } = world;
leavesNoErrors(world);

const namesOf = <Of extends object>(of: Of) => Object.keys(of) as (keyof Of)[];
const topic = await newTopic();

/** A valid value for every parameter by name, so that only the tested value is invalid. */
const goodQuery: Readonly<Record<string, string>> = {
  ...{ topic: topic.name, name: 'CR', protocol: 'http' },
  ...{ doctype: 'birth', format: 'pdf' },
};
const good = (endpoint: Endpoint): Input => {
  const names = namesOf(endpoint.request.query ?? {});
  const query = Object.fromEntries(names.flatMap((name) => (goodQuery[name] ? [[name, goodQuery[name]]] : [])));
  if (endpoint === subscribe) query.address = 'https://receiver.example.org/';
  if (names.includes('attributeNames')) query.attributeNames = 'firstName';
  if (endpoint.request.hasAttributes) query.firstName = 'Ada';
  const path = { uuid: topic.uuid, messageId: topic.uuid, uin: '123456789012' };
  return { path, query, ...(endpoint.request.body === undefined ? {} : { body: { firstName: 'Ada' } }) };
};

const allRows = async () =>
  Object.fromEntries(await Promise.all(namesOf(tables).map(async (n) => [n, await aws.rows(n)])));
const before = await allRows();

// The service rejects every request in this file, so no data is stored and no message is sent.
afterAll(async () => {
  expect(await allRows()).toEqual(before);
  for (const name of namesOf(queues)) expect(await aws.depth(name), name).toBe(0);
});

// Another file, pages.test.ts, tests the pages, which return HTML.
const operations = endpoints
  .filter((endpoint) => !hasReplyOf(endpoint, 'page'))
  .map((endpoint): [string, Endpoint] => [endpoint.operation, endpoint]);
const refused = async (endpoint: Endpoint, query: Input['query'], field: string) => {
  const usual = good(endpoint);
  const answer = await call(endpoint, { ...usual, query: { ...usual.query, ...query } });
  expect([answer.status, answer.error.message]).toEqual([400, expect.stringContaining(field)]);
};

describe.each(operations)('%s', (_operation, endpoint) => {
  const declared = namesOf(endpoint.request.query ?? {}).map(String);
  const once = declared.filter((name) => !endpoint.request.repeatable?.includes(name));

  test.each([['colour'], ['Topic'], ['__proto__'], ['constructor']])(
    'the operation returns 400 for the unknown parameter %s',
    (name) => refused(endpoint, Object.fromEntries([[name, 'x']]), name),
  );

  test.runIf(once.length > 0).each(once)('the operation returns 400 when %s is given twice', (name) =>
    refused(endpoint, { [name]: [goodQuery[name] ?? '1', goodQuery[name] ?? '1'] }, name),
  );

  const wrong = declared.flatMap((name) => (wrongValues[name] ?? []).map(([value, what]) => ({ name, value, what })));
  test.runIf(wrong.length > 0).each(wrong)('rejects $name: $what', ({ name, value }) =>
    refused(endpoint, { [name]: value }, name),
  );

  test('wrongValues contains invalid values for every parameter', () => {
    expect(declared.filter((name) => wrongValues[name] === undefined)).toEqual([]);
  });

  const required = declared.filter(
    (name) => endpoint.request.query?.[name]?.schema.safeParse(undefined).success === false,
  );
  test.runIf(required.length > 0).each(required)(
    'the operation returns 400 and names %s when the parameter is missing',
    async (name) => {
      const usual = good(endpoint);
      const { [name]: _, ...query } = usual.query ?? {};
      const answer = await call(endpoint, { ...usual, query });
      expect([answer.status, answer.error]).toEqual([
        400,
        { code: 1004, message: expect.stringContaining(`${name} is required in the query`) },
      ]);
    },
  );
});
