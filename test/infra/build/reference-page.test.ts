import { expect, test } from 'vitest';
import { referencePage } from '../../../infra/build/reference-page.ts';
import { openApi } from '../../../shared/contract/openapi.ts';
import { referenceStyle } from '../../../shared/presentation/pages/reference-style.ts';

const addresses = { baseUrl: 'https://registry.example.org', tokenUrl: 'https://issuer.example.org/token' };
const file = openApi(addresses);
const page = referencePage(file);
const found = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, text = '']) => text);

test('the reference page shows every operation, schema and error code in the OpenAPI file', () => {
  const operations = Object.values(file.paths).flatMap((methods) => Object.entries(methods));
  const ids = operations.flatMap(([method, { operationId }]) => (method === 'head' ? [] : [operationId]));
  const { schemas, responses } = file.components;
  const codes = Object.values(responses).flatMap(({ description }) => description.match(/\b1\d{3}\b/g) ?? []);
  expect(ids.length).toBeGreaterThan(20);
  expect(found(/<h3 id="([^"]*)"/g)).toEqual([
    ...file.tags.flatMap(({ name }) => ids.filter((id) => tagOf(id) === name)),
    ...Object.keys(schemas).map((name) => `schema-${name}`),
    ...Object.keys(responses).map((name) => `response-${name}`),
  ]);
  expect(new Set(found(/<li>(1\d{3}) /g))).toEqual(new Set(codes));
  expect(found(/<p>All fields of <a href="#schema-(\w+)">/g)).toEqual(['Subscription', 'Ending']);
});

const tagOf = (id: string): string | undefined =>
  Object.values(file.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id)?.tags[0];

test('every link on the reference page leads to a section of the page or to the OpenAPI file', () => {
  const ids = found(/ id="([^"]*)"/g);
  expect(new Set(ids).size).toBe(ids.length);
  const links = new Set(found(/ href="([^"]*)"/g));
  expect(links.delete('openapi.json')).toBe(true);
  expect([...links].filter((link) => !ids.includes(link.slice(1)))).toEqual([]);
});

test('the reference page loads no resources, and its content security policy allows only its own style sheet', () => {
  expect(found(/<(script|img|link|iframe|form)\b/g)).toEqual([]);
  expect(found(/ (style|on\w+|src)=/g)).toEqual([]);
  expect(page.match(/<style>/g)).toHaveLength(1);
  expect(referenceStyle.policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /);
});

test('the reference page escapes all text from the OpenAPI file', () => {
  const info = { ...file.info, title: '<b>&"title"', description: 'a `<i>` code' };
  const escaped = referencePage({ ...file, info });
  expect(escaped).toContain('<h1>&lt;b&gt;&amp;&quot;title&quot;</h1><p>a <code>&lt;i&gt;</code> code</p>');
});
