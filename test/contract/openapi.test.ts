import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { yamlOf } from '../../infra/build/openapi-yaml.ts';
import { methodsOf } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { interfaceFiles } from '../../shared/contract/interface-files.ts';
import { openApi } from '../../shared/contract/openapi.ts';
import { scopes } from '../../shared/contract/scopes.ts';
import { clientErrors } from '../../shared/domain/client-errors.ts';
import { standardAttributes } from '../../shared/domain/persons/attributes.ts';
import { dereferenced, errorCodesIn } from '../harness/openapi-document.ts';

const addresses = { baseUrl: 'https://registry.example.org', tokenUrl: 'https://issuer.example.org/token' };
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is free-form
const written = openApi({ ...addresses, extraAttributes: ['nationalId'] }) as any;
const document = dereferenced(written);

/** Returns every object in the document together with its path. */
function objectsIn(value: unknown, path = ''): [path: string, value: Record<string, unknown>][] {
  if (typeof value !== 'object' || value === null || path.endsWith('/example') || path.endsWith('/examples')) return [];
  const inside = Object.entries(value).flatMap(([name, one]) =>
    objectsIn(one, `${path}/${name.replaceAll('/', '~1')}`),
  );
  return [...(Array.isArray(value) ? [] : [[path, value] as [string, Record<string, unknown>]]), ...inside];
}
const all = objectsIn(document);
const without = (pattern: RegExp, ...fields: readonly string[]): string[] =>
  all
    .filter(([path, one]) => pattern.test(path) && !fields.some((field) => one[field] !== undefined))
    .map(([path]) => path);

test.each([
  ['all', '3.1'],
  ['identity', '3.0'],
  ['notification', '3.0'],
] as const)('the OpenAPI file is valid: %s, version %s', async (part, version) => {
  const validator = new Validator();
  expect(await validator.validate(openApi(addresses, part))).toMatchObject({ valid: true });
  expect(validator.version).toBe(version);
});

test('each YAML file is at most 60 KB long, so that people can read it', () => {
  for (const part of ['identity', 'notification'] as const) {
    expect(Buffer.byteLength(yamlOf(openApi(addresses, part))), part).toBeLessThanOrEqual(60 * 1024);
  }
});

test('the API description uses `anyOf` only in named schemas, because code generators need a name', () => {
  const inline = objectsIn(written).filter(([path, one]) => one.anyOf && !/^\/components\/schemas\/\w+$/.test(path));
  expect(inline.map(([path]) => path)).toEqual([]);
});

test('the API description lists every operation with its scopes and status codes', () => {
  for (const { operation, osiaId, method, path, scopes, replies } of endpoints) {
    const described = document.paths[path][method.toLowerCase()];
    expect(described.operationId).toBe(osiaId ?? operation);
    expect(described.security).toEqual(
      scopes.length === 0 ? [] : [...scopes.map((scope) => ({ oauth2: [scope] })), { bearer: [] }],
    );
    expect(Object.keys(described.responses)).toEqual(
      expect.arrayContaining([...Object.keys(replies), '400', '403', '429', '500', '504']),
    );
    expect('401' in described.responses).toBe(scopes.length > 0);
  }
  const described = Object.values<object>(document.paths).flatMap((path) => Object.keys(path));
  expect(described).toHaveLength(endpoints.flatMap(methodsOf).length);
});

test('the API description lists response headers and marks those that are always present', () => {
  const { responses } = document.paths['/v1/persons/{uin}/document'].get;
  const always = (status: string) =>
    Object.entries<{ required?: true }>(responses[status].headers).map(([name, { required }]) => [name, required]);
  expect(always('200')).toEqual([
    ['ETag', true],
    ['Cache-Control', true],
    ['Content-Disposition', undefined],
  ]);
  expect(always('304')).toEqual([
    ['ETag', true],
    ['Cache-Control', true],
  ]);
  expect(document.paths['/v1/topics'].get.responses['200'].headers.Link).not.toHaveProperty('required');
  expect(document.paths['/v1/topics'].post.responses['200']).not.toHaveProperty('headers');
});

test('every operation, parameter, header, response, schema and field in the API description has a description', () => {
  expect(without(/^\/paths\/[^/]+\/[a-z]+$/, 'description')).toEqual([]);
  expect(without(/\/parameters\/\d+$/, 'description')).toEqual([]);
  expect(without(/\/headers\/[\w-]+$/, 'description')).toEqual([]);
  expect(without(/\/responses\/\w+$/, 'description')).toEqual([]);
  expect(without(/^\/components\/schemas\/\w+$/, 'description')).toEqual([]);
  const fields = /^\/components\/schemas\/\w+\/properties\/\w+$/;
  expect(without(fields, 'description')).toEqual([]);
});

test('the API description contains examples of parameters, headers, bodies and errors', () => {
  expect(without(/\/parameters\/\d+$/, 'example')).toEqual([]);
  expect(without(/\/headers\/[\w-]+$/, 'example')).toEqual([]);
  expect(without(/\/content\/[^/]+$/, 'example', 'examples')).toEqual([]);
});

/** Returns the attribute names that the examples of one parameter, body or field use. Empty if they use none. */
function attributeNamesIn(path: string, { name, schema, example, examples = {} }: Record<string, unknown>): unknown[] {
  if (name === 'attributeNames' || name === 'names') return [example].flat();
  if (path.endsWith('/properties/attributeName')) return Object.values(examples as object);
  const { $ref } = (schema ?? {}) as { $ref?: string };
  const values = [example, ...Object.values(examples as Record<string, { value?: unknown }>).map(({ value }) => value)];
  if ($ref?.includes('/Person')) return values.flatMap((value) => Object.keys(value ?? {}));
  return [...JSON.stringify(values).matchAll(/"attributeName":"([^"]*)"/g)].map(([, one]) => one);
}

test('every attribute name in an example of the API description is an attribute of the registry', () => {
  const mentioned = all.map(([path, one]) => ({ path, names: attributeNamesIn(path, one) }));
  const examples = mentioned.filter(({ names }) => names.length > 0);
  // The examples are in two parameters, two fields, and the bodies of `generateUin`, `readPerson`, `matchPerson` (2)
  // and `verifyPerson`.
  expect(examples).toHaveLength(9);
  const known = [...Object.keys(standardAttributes), 'nationalId'];
  for (const { path, names } of examples) expect(known, path).toEqual(expect.arrayContaining(names));
});

test('the API description declares the types and formats of parameters', () => {
  // OpenAPI ignores header parameters with the name `Accept`.
  expect(all.filter(([path, { name }]) => /\/parameters\/\d+$/.test(path) && name === 'Accept')).toEqual([]);
  const parameter = (path: string, method: string, name: string) =>
    document.paths[path][method].parameters.find((one: { name: string }) => one.name === name).schema;
  expect(parameter('/v1/persons', 'get', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 1000 });
  expect(parameter('/v1/persons', 'get', 'offset')).toMatchObject({ type: 'integer', minimum: 0 });
  expect(parameter('/v1/persons/{uin}/document', 'get', 'page')).toMatchObject({ type: 'integer', minimum: 1 });
  expect(parameter('/v1/persons', 'get', 'dateOfBirth')).toMatchObject({ type: 'string', format: 'date' });
  expect(parameter('/v1/persons', 'get', 'nationalId')).toMatchObject({ type: 'string' });
  expect(parameter('/v1/subscriptions/confirm', 'get', 'token').type).toBe('string');
  expect(parameter('/v1/subscriptions', 'post', 'subject').type).toBe('array');
  expect(parameter('/v1/topics/{uuid}', 'delete', 'uuid').format).toBe('uuid');
  expect(parameter('/v1/subscriptions/{uuid}/recover', 'post', 'since').format).toBe('date-time');
});

test('the schemas of a person contain only the OSIA attributes and the attributes added by the deployment', () => {
  const { PersonAttributes, PersonAnswer, Expression } = document.components.schemas;
  const eleven = Object.keys(standardAttributes);
  expect(Object.keys(PersonAttributes.properties)).toEqual([...eleven.slice(1), 'nationalId']);
  expect(PersonAttributes.additionalProperties).toBe(false);
  expect(PersonAttributes.properties.dateOfBirth.format).toBe('date');
  expect(Object.keys(PersonAnswer.properties)).toEqual([...eleven, 'nationalId']);
  expect(Expression.properties.attributeName.enum).toEqual([...eleven, 'nationalId']);
});

test('each attribute has its own description, and the description of an added attribute starts with its name', () => {
  const { PersonAttributes, PersonAnswer } = document.components.schemas;
  for (const { properties } of [PersonAttributes, PersonAnswer]) {
    const descriptions = Object.values<{ description: string }>(properties).map(({ description }) => description);
    expect(new Set(descriptions).size).toBe(descriptions.length);
    expect(properties.nationalId.description).toMatch(/^nationalId: /);
    expect(properties.reasonOfDeath).toMatchObject({ description: 'Reason of death.', examples: ['illness'] });
  }
  const { parameters } = document.paths['/v1/persons'].get;
  const searched = parameters.find(({ name }: { name: string }) => name === 'dateOfDeath');
  expect(searched.description).toBe('Find persons with this value. Date of death.');
});

test('the format parameter of `readDocument` lists the formats that the response declares', () => {
  const { parameters, responses, description } = document.paths['/v1/persons/{uin}/document'].get;
  const format = parameters.find(({ name }: { name: string }) => name === 'format').schema.enum;
  expect(format.slice(0, 5)).toEqual(['pdf', 'jpeg', 'png', 'tiff', 'webp']);
  expect([...format.slice(5), 'multipart/mixed']).toEqual(Object.keys(responses['200'].content));
  expect(description).toContain('`Accept` may contain `multipart/mixed`');
  const { examples } = responses['200'].content['multipart/mixed'];
  expect(examples.pages.value).toMatch(/^--(\w+)\r\n[\s\S]+\r\n--\1--\r\n$/);
});

test('the description of the endpoint for interface files has an example response for each file', () => {
  const { content } = document.paths['/v1/{file}'].get.responses['200'];
  const files = Object.values<{ examples: object }>(content).flatMap(({ examples }) => Object.keys(examples));
  expect(files.toSorted()).toEqual(Object.keys(interfaceFiles).toSorted());
});

test('each operation in the API description lists exactly the error codes that it can return', () => {
  const codes = (path: string, method: string) => errorCodesIn(document.paths[path][method]);
  expect(codes('/v1/topics', 'post')).toEqual([1002, 1004, 1005, 1006, 1401, 1403, 1405, 1429, 1500, 1504]);
  expect(codes('/v1/topics', 'get')).toEqual([1002, 1005, 1006, 1010, 1401, 1403, 1405, 1429, 1500, 1504]);
  expect(codes('/v1/subscriptions', 'post')).toEqual(expect.arrayContaining([1429, 1430, 1433]));
  expect(codes('/v1/persons/{uin}/document', 'get')).toEqual(expect.arrayContaining([1500, 1501]));
});

test.each(['all', 'identity', 'notification'] as const)(
  'the OpenAPI file (%s) explains the error codes of its operations, with examples',
  (part) => {
    // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is free-form
    const { paths, components } = openApi(addresses, part) as any;
    const listed = Object.values<Record<string, { description: string }>>(paths).flatMap((path) =>
      Object.values(path).flatMap(errorCodesIn),
    );
    const responses = Object.values<{ description: string; content?: object }>(components.responses);
    const explained = responses.map(({ description }) => description.match(/\b1\d{3}\b/g) ?? []);
    const examples = responses.flatMap(({ content }) => [...JSON.stringify(content ?? {}).matchAll(/"code":(\d+)/g)]);
    expect(explained).toEqual(explained.map((codes) => codes.toSorted()));
    expect(new Set(explained.flat().map(Number))).toEqual(new Set(listed));
    expect(new Set(examples.map(([, code]) => Number(code)))).toEqual(new Set(listed));
    // Code 1023 takes the place of an attribute value, so it appears only in responses with status 200.
    const all = Object.values(clientErrors)
      .map(({ code }) => code)
      .filter((code) => code !== clientErrors.attributeNotReturned.code);
    if (part === 'all') expect(new Set(listed)).toEqual(new Set(all));
  },
);

test('the API description lists the response headers of errors', () => {
  const { post: subscribing } = document.paths['/v1/subscriptions'];
  expect(subscribing.responses['401'].headers).toMatchObject({ 'WWW-Authenticate': { required: true } });
  expect(Object.keys(subscribing.responses['429'].headers)).toEqual(['Retry-After']);
  const { post: redelivering } = document.paths['/v1/subscriptions/{uuid}/deliveries/{messageId}/redeliver'];
  expect(Object.keys(redelivering.responses['409'].headers)).toEqual(['Retry-After']);
});

test('`readDocument` also supports HEAD requests, whose responses have no body', () => {
  const { get, head } = written.paths['/v1/persons/{uin}/document'];
  expect(Object.keys(head.responses)).toEqual(Object.keys(get.responses));
  expect(JSON.stringify(head.responses)).not.toContain('"content"');
});

test('each part of the API description explains only the scopes that its operations require', () => {
  const meanings = (part: 'all' | 'identity') =>
    // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is free-form
    (openApi(addresses, part) as any).components.securitySchemes.oauth2.flows.clientCredentials.scopes;
  expect(meanings('all')).toEqual(scopes);
  expect(Object.keys(meanings('identity')).filter((scope) => scope.startsWith('notif.'))).toEqual([]);
});
