import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openDocuments } from '../harness/document-client.ts';
import { useWorld } from '../harness/no-internal-errors.ts';
import { filledForm } from '../harness/pdf-files.ts';
import { confirmationIn, startReceiver } from '../harness/receiver.ts';
import { openWorkshop } from '../harness/typed-client.ts';
import { uniqueName } from '../harness/world.ts';

const world = await useWorld();
const workshop = await openWorkshop(await (await fetch(`${world.outputs.baseUrl}/v1/openapi.json`)).text());
afterAll(workshop.close);

// An integrator's program, written in TypeScript with openapi-fetch and the generated types.
const program = `
import createClient from 'openapi-fetch';
import type { components, paths } from './registry.d.ts';

export interface Given {
  baseUrl: string;
  token: string;
  name: string;
  address: string;
  confirmationToken: () => Promise<string>;
  document: (uin: string) => Promise<void>;
}

function given<T>({ data, error }: { data?: T; error?: components['schemas']['Error'] | string }): T {
  if (data === undefined) throw new Error(typeof error === 'object' ? String(error.code) : String(error));
  return data;
}

export async function journey({ baseUrl, token, name, address, confirmationToken, document }: Given) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: 'Bearer ' + token } });

  const topic: components['schemas']['Topic'] = given(await client.POST('/v1/topics', { params: { query: { name } } }));
  const asked = given(
    await client.POST('/v1/subscriptions', { params: { query: { topic: topic.uuid, address, policy: '1,3' } } }),
  );
  const confirmed: boolean = given(
    await client.GET('/v1/subscriptions/confirm', { params: { query: { token: await confirmationToken() } } }),
  ).active;

  const uin: string = given(
    await client.POST('/v1/uin', { body: { firstName: 'Inés', dateOfBirth: '2024-02-29', gender: 2, lastName: null } }),
  );
  const { messageId } = given(
    await client.POST('/v1/topics/{uuid}/publish', {
      params: { path: { uuid: topic.name }, query: { subject: 'newPerson' } },
      body: { source: 'typed client', uin },
    }),
  );
  let state: components['schemas']['Delivery']['state'] | undefined;
  while (state !== 'delivered') {
    const path = { uuid: asked.uuid };
    const log = given(
      await client.GET('/v1/subscriptions/{uuid}/deliveries', { params: { path, query: { messageId, limit: 1 } } }),
    );
    state = log[0]?.state;
  }

  const path = { uin };
  const person = given(
    await client.GET('/v1/persons/{uin}', { params: { path, query: { attributeNames: ['firstName', 'status'] } } }),
  );
  const status = typeof person.status === 'object' ? person.status.code : person.status;
  const mismatches = given(
    await client.POST('/v1/persons/{uin}/match', { params: { path }, body: { firstName: 'Ines' } }),
  );
  const expressions: components['schemas']['Expression'][] = [
    { attributeName: 'gender', operator: '=', value: 2 },
    { attributeName: 'dateOfBirth', operator: '<=', value: '2024-12-31' },
  ];
  const holds: boolean = given(
    await client.POST('/v1/persons/{uin}/verify', { params: { path }, body: expressions }),
  );
  await document(uin);
  const file = await client.GET('/v1/persons/{uin}/document', {
    params: { path, query: { doctype: 'birth', format: 'pdf' } },
    parseAs: 'arrayBuffer',
  });
  const bytes = Buffer.from(file.data as unknown as ArrayBuffer).subarray(0, 5).toString();
  const gone = await client.GET('/v1/persons/{uin}', {
    params: { path: { uin: '1' }, query: { attributeNames: ['firstName'] } },
  });
  const code: number | undefined = gone.error?.code;
  return { confirmed, state, firstName: person.firstName, status, mismatches, holds, bytes, code };
}
`;

test('a program with the generated client completes all steps of the client journey', async () => {
  expect(await workshop.errorsIn(program)).toEqual([]);
  const { journey } = (await import(join(workshop.folder, 'program.ts'))) as {
    journey: (given: object) => Promise<object>;
  };
  const receiver = await startReceiver();
  const documents = openDocuments(world);
  const done = await journey({
    baseUrl: world.outputs.baseUrl,
    token: world.token,
    name: uniqueName(),
    address: receiver.url,
    confirmationToken: async () => confirmationIn(await receiver.arrival('SubscriptionConfirmation')).token,
    document: (uin: string) => documents.put(uin, 'birth/-/form', filledForm()),
  });
  expect(done).toEqual({
    confirmed: true,
    state: 'delivered',
    firstName: 'Inés',
    status: 1023,
    mismatches: [{ attributeName: 'firstName', errorCode: 1 }],
    holds: true,
    bytes: '%PDF-',
    code: 1040,
  });
});

// openapi-fetch infers the types of inline bodies and therefore accepts unknown keys in them. Explicit types reject
// unknown keys.
const wrong: readonly (readonly [what: string, code: string])[] = [
  ['a misspelt attribute', "{ firstname: 'Ada' } satisfies Schemas['PersonAttributes']"],
  ['the UIN among the attributes', "{ uin: '1' } satisfies Schemas['PersonAttributes']"],
  ['an unknown gender', "client.POST('/v1/uin', { body: { gender: 3 } })"],
  ['a misspelt attribute in a request to verify', "client.POST(verify, { params, body: [is('birthDate', '=')] })"],
  ['an unknown operator', "client.POST(verify, { params, body: [is('gender', '<>')] })"],
  ['a limit that is text', "client.GET('/v1/topics', { params: { query: { limit: '10' } } })"],
  ['a list of tokens', "client.GET('/v1/subscriptions/confirm', { params: { query: { token: ['t'] } } })"],
  ['an unknown protocol', "client.POST('/v1/subscriptions', { params: { query: { ...to, protocol: 'sms' } } })"],
  ['a misspelt attribute in a search', "client.GET('/v1/persons', { params: { query: { birthDate: '2024-02-29' } } })"],
  ['a topic without a name', "client.POST('/v1/topics')"],
  ['an unknown path', "client.GET('/v1/topic')"],
];
const head = [
  "import createClient from 'openapi-fetch';",
  "import type { components, paths } from './registry.d.ts';",
  "type Schemas = components['schemas'];",
  'const client = createClient<paths>();',
  "const params = { path: { uin: '1' } };",
  "const to = { topic: 'CR', address: 'a' };",
  'const is = <N, O>(attributeName: N, operator: O) => ({ attributeName, operator, value: 1 });',
  "const verify = '/v1/persons/{uin}/verify';",
];

describe('the compile errors in a program with the generated types', async () => {
  const lines = wrong.map(([, code], index) => `export const wrong${index} = ${code};`);
  const errors = await workshop.errorsIn([...head, ...lines].join('\n'));

  test.each(wrong)('the compiler rejects a program with %s', (_what, code) => {
    const line = head.length + 1 + wrong.findIndex(([, other]) => other === code);
    expect(errors.filter((error) => error.startsWith(`program.ts(${line},`))).not.toEqual([]);
  });

  test('in the program with the generated types, the compiler reports no other errors', () => {
    expect(errors).toHaveLength(wrong.length);
  });
});
