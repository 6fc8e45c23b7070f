import type { Endpoint } from '../../../../shared/contract/endpoint.ts';
import * as deliveries from '../../../../shared/contract/endpoints/deliveries-endpoints.ts';
import { generateUin } from '../../../../shared/contract/endpoints/persons-endpoints.ts';
import * as subscriptions from '../../../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { createTopic, listTopics, publishEvent } from '../../../../shared/contract/endpoints/topics-endpoints.ts';
import type { Scope } from '../../../../shared/contract/scopes.ts';

/** The path prefix of requests that the console's server forwards to the API. */
export const apiPrefix = '/console/api';

const { unsubscribe: _, confirmSubscription: __, ...ofSubscriptions } = subscriptions;

const everywhere: readonly Endpoint[] = [
  createTopic,
  listTopics,
  ...Object.values(ofSubscriptions),
  ...Object.values(deliveries),
];
// Only a local stack offers these operations, because they create invented persons and events.
const onlyLocally: readonly Endpoint[] = [generateUin, publishEvent];

const operationsOf = (isLocal: boolean): readonly Endpoint[] =>
  isLocal ? [...everywhere, ...onlyLocally] : everywhere;

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[0-9a-f-]+')}$`).test(path);

/** Returns true if the console forwards a request to the API. Requests about registered persons are never forwarded. */
export const isShown = (method: string, path: string, isLocal: boolean): boolean =>
  operationsOf(isLocal).some((one) => one.method === method && matches(one.path, path));

/** The scopes of the access tokens that the console requests. */
export const scopesOf = (isLocal: boolean): readonly Scope[] => [
  ...new Set(operationsOf(isLocal).flatMap(({ scopes }) => scopes)),
];
