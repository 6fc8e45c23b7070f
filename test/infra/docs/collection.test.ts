import { expect, test } from 'vitest';
import { collectionOf } from '../../../infra/docs/collection.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { openApi } from '../../../shared/contract/openapi.ts';

const addresses = { baseUrl: 'https://registry.example.org', tokenUrl: 'https://issuer.example.org/token' };

interface Variable {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly raw: string; readonly query: readonly Variable[]; readonly variable: readonly Variable[] };
    readonly body?: { readonly raw: string };
    readonly auth?: object;
  };
}

const collection = collectionOf(openApi(addresses), addresses.tokenUrl) as {
  readonly variable: readonly Variable[];
  readonly item: readonly { readonly item: readonly Item[] }[];
};
const items = collection.item.flatMap(({ item }) => item);
const named = (text: string): Item['request'] | undefined => items.find(({ name }) => name === text)?.request;

test('the collection has one request per operation, with the path variables of the operation', () => {
  const routes = items.map(({ request: { method, url } }) => `${method} ${url.raw}`);
  const served = endpoints.map((one) => `${one.method} {{baseUrl}}${one.path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  expect(routes.toSorted()).toEqual(served.toSorted());
  for (const { request } of items)
    expect(request.url.variable.map(({ key }) => `:${key}`)).toEqual(request.url.raw.match(/:\w+/g) ?? []);
});

test('a request in the collection sends only the required parameters, with the example values from the OpenAPI file', () => {
  const { query } = named('Create a topic')?.url ?? { query: [] };
  expect(query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => [key, value])).toEqual([
    ['name', 'CR'],
  ]);
  const minting = named('Mint a UIN and register a person')?.body?.raw ?? '';
  expect(JSON.parse(minting)).toMatchObject({ firstName: expect.any(String) });
});

test('the collection gets tokens from the issuer for all operations except those that need no token', () => {
  const values = Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]));
  expect(values).toMatchObject(addresses);
  const withoutToken = items.filter(({ request }) => request.auth !== undefined).length;
  expect(withoutToken).toBe(endpoints.filter(({ scopes }) => scopes.length === 0).length);
});
