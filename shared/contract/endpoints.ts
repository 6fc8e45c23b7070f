import type { Endpoint } from './endpoint.ts';
import { publishKeys } from './endpoints/access.ts';
import { generateUin } from './endpoints/identity.ts';
import { confirmByPage, showConfirmation, showUnsubscribe, unsubscribeByPage } from './endpoints/pages.ts';
import { findPersons, matchPerson, readDocument, readPerson, verifyPerson } from './endpoints/persons.ts';
import { confirmSubscription, listSubscriptions, subscribe, unsubscribe } from './endpoints/subscriptions.ts';
import { createTopic, deleteTopic, listTopics, publishEvent } from './endpoints/topics.ts';

/** Every operation, those of the interface first. Routes, functions, grants, variables, OpenAPI and tests are loops over this list. */
export const endpoints: readonly Endpoint[] = [
  generateUin,
  findPersons,
  readPerson,
  matchPerson,
  verifyPerson,
  readDocument,
  subscribe,
  listSubscriptions,
  unsubscribe,
  confirmSubscription,
  createTopic,
  listTopics,
  deleteTopic,
  publishEvent,
  publishKeys,
  showConfirmation,
  confirmByPage,
  showUnsubscribe,
  unsubscribeByPage,
];

export const builtEndpoints = endpoints.filter((endpoint) => endpoint.isBuilt);
