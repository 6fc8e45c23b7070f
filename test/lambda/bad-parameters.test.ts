import { describe, expect, test } from 'vitest';
import { type Endpoint, hasReplyOf } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { readRequest } from '../../shared/lambda/read-request.ts';
import { apiEvent } from '../harness/lambda-events.ts';
import { wrongValues } from './wrong-values.ts';

/** Valid values by parameter name, so that only the tested parameter has an invalid value. */
const goodQuery: Readonly<Record<string, string>> = {
  ...{ topic: 'CR', name: 'CR', address: 'https://receiver.example.org/', token: 'T' },
  ...{ doctype: 'birth', format: 'pdf', attributeNames: 'firstName' },
};
const path = { uuid: '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61', messageId: '', uin: '1', file: 'health' };
path.messageId = path.uuid;

/**
 * Returns the error message for a request with other, valid parameters. If the value is undefined, the request does
 * not contain the parameter.
 */
function errorOf(endpoint: Endpoint, name: string, ...values: readonly string[]): string {
  const good = Object.entries(goodQuery).filter(([one]) => one !== name && endpoint.request.query?.[one] !== undefined);
  const query = new URLSearchParams([...good, ...values.map((value): [string, string] => [name, value])]).toString();
  try {
    readRequest(endpoint, apiEvent({ path, query, method: endpoint.method, body: '{}' }));
  } catch (error) {
    if (error instanceof ClientError) return error.message;
    throw error;
  }
  return 'accepted';
}

// The endpoints for pages return pages instead of Error objects, so this test excludes these endpoints.
const operations = endpoints.filter((endpoint) => !hasReplyOf(endpoint, 'page'));

describe.each(operations)('$operation', (endpoint) => {
  const declared = Object.keys(endpoint.request.query ?? {});
  const once = declared.filter((name) => !endpoint.request.repeatable?.includes(name));
  const required = declared.filter(
    (name) => endpoint.request.query?.[name]?.schema.safeParse(undefined).success === false,
  );

  test('every operation rejects unknown, repeated and missing parameters and names them in the error message', () => {
    if (!endpoint.request.hasAttributes)
      for (const name of ['colour', 'Topic', '__proto__', 'constructor'])
        expect(errorOf(endpoint, name, 'x')).toContain(`"${name}"`);
    for (const name of once) {
      const value = goodQuery[name] ?? '1';
      expect(errorOf(endpoint, name, value, `${value}1`)).toMatch(new RegExp(`^"?${name}`));
    }
    for (const name of required) expect(errorOf(endpoint, name)).toContain(`${name} is required in the query`);
  });

  test('every operation rejects invalid values with an error message that names the parameter', () => {
    expect(declared.filter((name) => wrongValues[name] === undefined)).toEqual([]);
    for (const name of declared)
      for (const [value, what] of wrongValues[name] ?? [])
        expect(errorOf(endpoint, name, value), `${name}: ${what}`).toMatch(new RegExp(`^${name}`));
  });
});
