import type { Endpoint } from './endpoint.ts';
import * as access from './endpoints/access-endpoints.ts';
import * as deliveries from './endpoints/deliveries-endpoints.ts';
import * as documents from './endpoints/documents-endpoints.ts';
import * as pages from './endpoints/pages-endpoints.ts';
import * as persons from './endpoints/persons-endpoints.ts';
import * as subscriptions from './endpoints/subscriptions-endpoints.ts';
import * as topics from './endpoints/topics-endpoints.ts';

const areas: readonly Readonly<Record<string, Endpoint>>[] = [
  persons,
  documents,
  topics,
  subscriptions,
  deliveries,
  access,
  pages,
];

const methods: readonly Endpoint['method'][] = ['GET', 'POST', 'PATCH', 'DELETE'];
const byPath = (one: Endpoint, other: Endpoint): number =>
  Number(one.path > other.path) - Number(one.path < other.path) ||
  methods.indexOf(one.method) - methods.indexOf(other.method);

/**
 * All operations. Routes, functions, grants, variables, the OpenAPI file and tests are derived from this list.
 */
export const endpoints: readonly Endpoint[] = areas.flatMap((area) => Object.values(area).toSorted(byPath));
