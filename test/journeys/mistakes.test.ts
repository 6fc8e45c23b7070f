import { expect, test } from 'vitest';
import { generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { readResponse } from '../harness/call.ts';
import { useWorld } from '../harness/no-internal-errors.ts';

const { call, newTopic, outputs, token } = await useWorld();

const topic = (await newTopic()).name;
const uin = (await call(generateUin, { body: { firstName: 'Ada', gender: 2 } })).json;
const subscribe = `POST /v1/subscriptions?topic=${topic}`;
const verify = `POST /v1/persons/${uin}/verify`;
const publish = `POST /v1/topics/${topic}/publish`;
const latin1 = Buffer.from('{"firstName":"José"}', 'latin1');
/** Typical mistakes of callers. A snapshot contains the full error messages. */
const mistakes: readonly (readonly [what: string, request: string, body?: string | Uint8Array<ArrayBuffer>])[] = [
  ['a date in another format', 'POST /v1/uin', '{"dateOfBirth":"29/02/2024"}'],
  ['a search date in another format', 'GET /v1/persons?dateOfBirth=29/02/2024'],
  ['gender as a letter', 'POST /v1/uin', '{"gender":"F"}'],
  ['an attribute name in lower case', 'POST /v1/uin', '{"firstname":"Ada"}'],
  ['an unknown attribute', 'POST /v1/uin', '{"shoeSize":"38"}'],
  ['a given UIN', 'POST /v1/uin', '{"uin":"123"}'],
  ['a list of persons', 'POST /v1/uin', '[{"firstName":"Ada"}]'],
  ['two first names', 'POST /v1/uin', '{"firstName":["Ada"]}'],
  ['only blank values', 'POST /v1/uin', '{"firstName":" "}'],
  ['a form', 'POST /v1/uin', 'firstName=Ada'],
  ['single quotes', 'POST /v1/uin', "{'firstName':'Ada'}"],
  ['a body in Latin-1', 'POST /v1/uin', latin1],
  ['attributes in the query', 'POST /v1/uin?firstName=Ada', '{"lastName":"Sato"}'],
  ['a search without attributes', 'GET /v1/persons'],
  ['a search for a blank value', 'GET /v1/persons?lastName='],
  ['a query in Latin-1', 'GET /v1/persons?lastName=Jos%E9'],
  ['a mistyped UIN', 'GET /v1/persons/100000000001?attributeNames=status'],
  ['an object instead of a list', verify, '{"attributeName":"gender","operator":"=","value":1}'],
  ['an unknown operator', verify, '[{"attributeName":"gender","operator":"==","value":1}]'],
  ['no value', verify, '[{"attributeName":"gender","operator":"="}]'],
  ['an unknown format', `GET /v1/persons/${uin}/document?doctype=birth&format=docx`],
  ['parameters as JSON', 'POST /v1/topics', '{"name":"CR"}'],
  ['parameters of a subscription as JSON', 'POST /v1/subscriptions', '{"topic":"CR"}'],
  ['an unknown parameter', 'POST /v1/topics?topic=CR'],
  ['a name instead of an ID', 'DELETE /v1/topics/CR'],
  ['a UUID that belongs to no topic', 'DELETE /v1/topics/00000000-0000-4000-8000-000000000000'],
  ['an unknown topic', 'POST /v1/subscriptions?topic=nobody&address=https://a.example.org/'],
  ['an address without a scheme', `${subscribe}&address=a.example.org`],
  ['a mailbox with the protocol http', `${subscribe}&address=clerk@example.org`],
  ['a URL with the protocol email', `${subscribe}&protocol=email&address=https://a.example.org`],
  ['a password in a URL', `${subscribe}&address=https://me:pw@a.example.org/`],
  ['a private address', `${subscribe}&address=http://10.0.0.1/`],
  ['https as a protocol', `${subscribe}&protocol=https&address=https://a.example.org`],
  ['a policy as words', `${subscribe}&address=https://a.example.org&policy=hourly`],
  ['a filter that resembles an event type', `${subscribe}&address=https://a.example.org&subject=deaths`],
  ['an unknown token', 'GET /v1/subscriptions/confirm?token=aaa'],
  ['a change to a read-only field', 'PATCH /v1/subscriptions/00000000-0000-4000-8000-000000000000', '{"active":true}'],
  ['an event without a source', `${publish}?subject=liveBirth`, '{"uin":"1"}'],
  ['a UIN as a number', `${publish}?subject=liveBirth`, '{"source":"x","uin":1}'],
  ['an event that is not JSON', `${publish}?subject=death`, 'dead'],
  ['an unknown topic for an event', 'POST /v1/topics/nobody/publish', 'x'],
  ['a trailing slash', 'GET /v1/topics/'],
  ['an ID that is not percent-encoded', 'DELETE /v1/topics/%zz'],
  ['a body over 10 MB', 'POST /v1/uin', 'x'.repeat(10_500_000)],
];

for (const [what, request, body = ''] of mistakes) {
  test(`${what} returns an error message that explains the mistake`, async () => {
    const [method = '', path = ''] = request.split(' ');
    const headers = { authorization: `Bearer ${token}` };
    const sent = body.length > 0 && { body: new Blob([body]) };
    const { status, error } = await readResponse(
      await fetch(outputs.baseUrl + path, { method, headers, ...sent }),
      what,
    );
    expect(`${status} ${error.message}`).toMatchSnapshot();
    // Error messages repeat names from the request but not values.
    for (const value of ['29/02/2024', 'Sato', 'José', '"F"'])
      if (String(body).includes(value)) expect(error.message).not.toContain(value);
  });
}
