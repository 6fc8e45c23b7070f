import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { openApi } from '../../shared/contract/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is free-form
const document = openApi('https://registry.example.org') as any;

test('the description is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document));
  expect(result).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('it describes every operation that is served, with its scopes and statuses', () => {
  for (const { operation, method, path, scopes, replies } of endpoints) {
    const described = document.paths[path][method.toLowerCase()];
    expect(described.operationId).toBe(operation);
    expect(described.security).toEqual(scopes.map((scope) => ({ bearer: [scope] })));
    expect(Object.keys(described.responses)).toEqual(
      expect.arrayContaining([...Object.keys(replies), '400', '429', '500', '504']),
    );
    const asksForToken = Object.keys(described.responses).filter((status) => status === '401' || status === '403');
    expect(asksForToken).toEqual(scopes.length === 0 ? [] : ['401', '403']);
  }
  const count = Object.values<object>(document.paths).flatMap((path) => Object.keys(path)).length;
  expect(count).toBe(endpoints.length);
});

test('it says which parameters are required', () => {
  const { parameters } = document.paths['/v1/subscriptions'].post;
  const required = parameters.filter((one: { required: boolean }) => one.required);
  expect(required.map((one: { name: string }) => one.name)).toEqual(['topic', 'address']);
});

test('it says which headers a reply has, and which of them always', () => {
  const { responses } = document.paths['/v1/persons/{uin}/document'].get;
  const always = (status: string) =>
    Object.entries<{ required: boolean }>(responses[status].headers).map(([name, { required }]) => [name, required]);
  expect(always('200')).toEqual([
    ['etag', true],
    ['cache-control', true],
    ['content-disposition', false],
  ]);
  expect(always('304')).toEqual([
    ['etag', true],
    ['cache-control', true],
  ]);
  expect(document.paths['/v1/topics'].get.responses['200'].headers.link).toMatchObject({ required: false });
  expect(document.paths['/v1/topics'].post.responses['200']).not.toHaveProperty('headers');
});

test('it says that pages are HTML, their refusals too', () => {
  const { responses } = document.paths['/v1/confirm'].get;
  expect(Object.keys(responses['200'].content)).toEqual(['text/html']);
  expect(Object.keys(responses['400'].content)).toEqual(['text/html']);
});
