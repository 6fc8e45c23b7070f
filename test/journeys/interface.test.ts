import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Area, areaOf, endpoints } from '../../shared/contract/endpoints.ts';
import { referenceStyle } from '../../shared/presentation/pages/reference-style.ts';
import { useWorld } from '../harness/no-internal-errors.ts';

const { outputs } = await useWorld();

const get = (file: string, headers: Record<string, string> = {}) => fetch(`${outputs.baseUrl}/v1/${file}`, { headers });

const files: [file: string, mediaType: string, version: string, areas: readonly Area[] | undefined][] = [
  ['openapi.json', 'application/json', '1.2.0', undefined],
  ['notification.yaml', 'application/yaml', '1.2.0', ['topics', 'subscriptions', 'deliveries']],
  ['identity.yaml', 'application/yaml', '1.0.0', ['persons', 'documents']],
];

describe.each(files)('%s', (file, mediaType, version, areas) => {
  test("the OpenAPI file is public and describes its part of the API with this deployment's address", async () => {
    const response = await get(file);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, mediaType]);
    // The YAML parser reads both file types, because YAML is a superset of JSON.
    const description = parse(await response.text());
    expect([description.info.version, description.servers]).toEqual([version, [{ url: outputs.baseUrl }]]);
    const described = Object.values<Record<string, { operationId: string }>>(description.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    const served = endpoints.filter((one) => areas === undefined || areas.includes(areaOf(one)));
    expect(described.toSorted()).toEqual(
      served
        .flatMap(({ operation, osiaId = operation, hasHead }) => (hasHead ? [osiaId, `${osiaId}Head`] : [osiaId]))
        .toSorted(),
    );
    const { clientCredentials } = description.components.securitySchemes.oauth2.flows;
    expect(clientCredentials.tokenUrl).toBe(outputs.tokenUrl);
  });

  test('the OpenAPI file can be cached for an hour and is sent again only after it has changed', async () => {
    const { headers } = await get(file);
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    const etag = headers.get('etag') ?? '';
    const again = await get(file, { 'if-none-match': etag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await get(file, { 'if-none-match': '"another"' })).status).toBe(200);
  });
});

test("the reference page shows this deployment's address, and its policy allows no scripts", async () => {
  const response = await get('reference');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html']);
  expect(response.headers.get('content-security-policy')).toBe(referenceStyle.policy);
  expect(await response.text()).toContain(`<code>${outputs.baseUrl}</code>`);
});

test.each([
  ['GET', '{"status":"ok"}\n'],
  ['HEAD', ''],
])('the response to a %s request to the path health is static and must not be cached', async (method, body) => {
  const response = await fetch(`${outputs.baseUrl}/v1/health`, { method });
  expect([response.status, await response.text(), response.headers.get('cache-control')]).toEqual([
    200,
    body,
    'no-cache',
  ]);
});

test.each(['openapi.yaml', 'health2', '__proto__', 'constructor', '..%2Findex.mjs', 'openapi.json%00'])(
  'a request for an unknown file returns 404: %s',
  async (file) => {
    const response = await get(file);
    expect([response.status, await response.json()]).toEqual([
      404,
      { code: 1404, message: expect.stringContaining('no operation has this method and path') },
    ]);
  },
);
