import { describe, expect, it } from 'vitest';
import { capabilities } from '../../shared/contract/capabilities.ts';
import { type Endpoint, relevantScopes } from '../../shared/contract/endpoint.ts';
import { type Area, areaOf, endpoints } from '../../shared/contract/endpoints.ts';
import { scopes } from '../../shared/contract/scopes.ts';
import { settings } from '../../shared/contract/settings.ts';

// The OSIA operations (identity and data access 1.0, notification 1.2.0) and their scopes, copied manually from the
// standard.
const standardOperations: Readonly<Record<string, readonly [route: string, scopes: string, success: number]>> = {
  generateUin: ['POST /v1/uin', 'uin.generate', 200],
  findPersons: ['GET /v1/persons', 'pr.person.read cr.person.read', 200],
  readPerson: ['GET /v1/persons/{uin}', 'pr.person.read cr.person.read', 200],
  matchPerson: ['POST /v1/persons/{uin}/match', 'pr.person.match cr.person.match', 200],
  verifyPerson: ['POST /v1/persons/{uin}/verify', 'pr.person.verify cr.person.verify', 200],
  readDocument: ['GET /v1/persons/{uin}/document', 'pr.document.read cr.document.read', 200],
  subscribe: ['POST /v1/subscriptions', 'notif.sub.write', 200],
  listSubscriptions: ['GET /v1/subscriptions', 'notif.sub.read', 200],
  unsubscribe: ['DELETE /v1/subscriptions/{uuid}', 'notif.sub.write', 204],
  confirmSubscription: ['GET /v1/subscriptions/confirm', 'notif.sub.write', 200],
  createTopic: ['POST /v1/topics', 'notif.topic.write', 200],
  listTopics: ['GET /v1/topics', 'notif.topic.read', 200],
  deleteTopic: ['DELETE /v1/topics/{uuid}', 'notif.topic.write', 204],
  publishEvent: ['POST /v1/topics/{uuid}/publish', 'notif.topic.publish', 200],
};

/** The areas whose endpoints are public and return keys, interface files or web pages. */
const publicAreas: readonly Area[] = ['access', 'pages'];

// Operations that we offer to clients in addition to OSIA.
const furtherOperations: typeof standardOperations = {
  readSubscription: ['GET /v1/subscriptions/{uuid}', 'notif.sub.read', 200],
  changeSubscription: ['PATCH /v1/subscriptions/{uuid}', 'notif.sub.write', 200],
  testSubscription: ['POST /v1/subscriptions/{uuid}/test', 'notif.sub.write', 200],
  listDeliveries: ['GET /v1/subscriptions/{uuid}/deliveries', 'notif.sub.read', 200],
  redeliverMessage: ['POST /v1/subscriptions/{uuid}/deliveries/{messageId}/redeliver', 'notif.sub.write', 202],
  recoverSubscription: ['POST /v1/subscriptions/{uuid}/recover', 'notif.sub.write', 202],
};

describe('the endpoints', () => {
  it('the endpoints have the expected methods, paths, scopes and statuses', () => {
    const inInterface = endpoints.filter((one) => !publicAreas.includes(areaOf(one)));
    const rows = inInterface.map((one) => [
      one.operation,
      [`${one.method} ${one.path}`, one.scopes.join(' '), Number(Object.keys(one.replies)[0])],
    ]);
    expect(Object.fromEntries(rows)).toMatchObject({ ...standardOperations, ...furtherOperations });
    expect(Object.keys(standardOperations)).toHaveLength(14);
  });

  it('public endpoints require no scopes, and public GET requests change nothing', () => {
    const others = endpoints.filter((one) => publicAreas.includes(areaOf(one)));
    expect(others.flatMap(({ scopes: needed }) => [...needed])).toEqual([]);
    const readingUses = others.filter(({ method }) => method === 'GET').flatMap(({ uses }) => [...uses]);
    expect(
      readingUses.filter((use) => capabilities[use].actions.some((action) => /:(Put|Update|Delete)/.test(action))),
    ).toEqual([]);
    expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/.well-known/jwks.json',
      'GET /v1/{file}',
      'GET /v1/confirm',
      'POST /v1/confirm',
      'GET /v1/never-ask',
      'POST /v1/never-ask',
      'GET /v1/unsubscribe',
      'POST /v1/unsubscribe',
    ]);
  });

  it.each(endpoints)('declare every path parameter: $operation', ({ path, request }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(request.path ?? {})).toEqual(inPath);
  });

  it.each(endpoints)('every endpoint refers only to existing scopes, capabilities and settings: $operation', (one) => {
    expect(one.scopes.filter((scope) => !(scope in scopes))).toEqual([]);
    expect(one.uses.filter((use) => !(use in capabilities))).toEqual([]);
    expect(one.reads.filter((setting) => !(setting in settings))).toEqual([]);
  });

  it('endpoints check who owns a subscription, except the endpoints for topics and the pages that emails link to', () => {
    const checkingOwner = endpoints.filter(({ reads }) => reads.includes('subscriptionOwnership'));
    const needsOwner = (one: Endpoint) =>
      !['pages', 'topics'].includes(areaOf(one)) && one.uses.some((use) => use.startsWith('subscriptions:'));
    expect(checkingOwner).toEqual(endpoints.filter(needsOwner));
    expect(checkingOwner.every((one) => relevantScopes(one).includes('notif.admin'))).toBe(true);
  });

  it('only endpoints that return personal data accept a purpose and write to the access journal', () => {
    const returningPersons = endpoints.filter(({ uses }) =>
      uses.some((use) => ['persons:read', 'persons:readMany', 'persons:find', 'documents:read'].includes(use)),
    );
    expect(returningPersons.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['findPersons', 'readPerson', 'matchPerson', 'verifyPerson', 'readDocument']),
    );
    expect(endpoints.filter(({ request }) => request.headers?.purpose !== undefined)).toEqual(returningPersons);
    expect(endpoints.filter(({ uses }) => uses.some((use) => /^journal:write/.test(use)))).toEqual(returningPersons);
  });

  it.each(endpoints)(
    'every endpoint describes the impact of its failure in one sentence: $operation',
    ({ impact, summary }) => {
      expect(impact).toMatch(/^[A-Z].*\.$/);
      expect(summary).toMatch(/^[A-Z]/);
    },
  );

  it('endpoints declare every query parameter that they mark as repeatable', () => {
    for (const { request } of endpoints) {
      for (const name of request.repeatable ?? []) expect(Object.keys(request.query ?? {})).toContain(name);
    }
  });

  it('the endpoints use every scope in the catalogue and no other scopes', () => {
    const used = new Set(endpoints.flatMap(relevantScopes));
    expect([...used].toSorted()).toEqual(Object.keys(scopes).toSorted());
  });
});
