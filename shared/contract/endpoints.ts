import type { Endpoint } from './endpoint.ts';
import * as access from './endpoints/access-endpoints.ts';
import * as deliveries from './endpoints/deliveries-endpoints.ts';
import * as documents from './endpoints/documents-endpoints.ts';
import * as pages from './endpoints/pages-endpoints.ts';
import * as persons from './endpoints/persons-endpoints.ts';
import * as subscriptions from './endpoints/subscriptions-endpoints.ts';
import * as topics from './endpoints/topics-endpoints.ts';

/** The areas of the API, with their descriptions in the OpenAPI file. Each area is also a folder in `functions/`. */
export const areas = {
  persons: { description: 'UINs and the attributes of persons.', operations: persons },
  documents: { description: 'Certificates.', operations: documents },
  topics: { description: 'Topics and publishing.', operations: topics },
  subscriptions: { description: 'Subscriptions to the events of a topic.', operations: subscriptions },
  deliveries: { description: 'Messages and the results of their deliveries.', operations: deliveries },
  access: { description: 'Public keys and this API description.', operations: access },
  pages: { description: 'Pages that people open from our emails.', operations: pages },
} as const;

export type Area = keyof typeof areas;

const methods: readonly Endpoint['method'][] = ['GET', 'POST', 'PATCH', 'DELETE'];
const byPath = (one: Endpoint, other: Endpoint): number =>
  Number(one.path > other.path) - Number(one.path < other.path) ||
  methods.indexOf(one.method) - methods.indexOf(other.method);

/**
 * All operations. Routes, functions, grants, variables, the OpenAPI file and tests are derived from this list.
 */
export const endpoints: readonly Endpoint[] = Object.values(areas).flatMap(({ operations }) =>
  Object.values<Endpoint>(operations).toSorted(byPath),
);

export const areaOf = ({ operation }: Endpoint): Area =>
  (Object.keys(areas) as Area[]).find((area) => operation in areas[area].operations) as Area;
