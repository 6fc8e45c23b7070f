import { describe, expect, it } from 'vitest';
import { capabilities } from '../../shared/contract/capabilities.ts';
import { type Endpoint, relevantScopes } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { scopes } from '../../shared/contract/scopes.ts';
import { settings } from '../../shared/contract/settings.ts';

// The operations of OSIA (identity and data access 1.0, notification 1.2.0) with their scopes, copied by hand.
const page: Readonly<Record<string, readonly [route: string, scopes: string, success: number]>> = {
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

/** Areas of what is public and not the interface's. */
const beside: readonly Endpoint['area'][] = ['access', 'pages'];

// What callers can ask for beyond the interface.
const ours: typeof page = {
  readSubscription: ['GET /v1/subscriptions/{uuid}', 'notif.sub.read', 200],
  changeSubscription: ['PATCH /v1/subscriptions/{uuid}', 'notif.sub.write', 200],
  testSubscription: ['POST /v1/subscriptions/{uuid}/test', 'notif.sub.write', 200],
  listDeliveries: ['GET /v1/subscriptions/{uuid}/deliveries', 'notif.sub.read', 200],
  redeliverMessage: ['POST /v1/subscriptions/{uuid}/deliveries/{messageId}/redeliver', 'notif.sub.write', 202],
  recoverSubscription: ['POST /v1/subscriptions/{uuid}/recover', 'notif.sub.write', 202],
};

describe('the endpoints', () => {
  it('are the 14 operations of the interface and ours, with their methods, paths, scopes and statuses', () => {
    const ofInterface = endpoints.filter(({ area }) => !beside.includes(area));
    const rows = ofInterface.map((one) => [
      one.operation,
      [`${one.method} ${one.path}`, one.scopes.join(' '), Number(Object.keys(one.replies)[0])],
    ]);
    expect(Object.fromEntries(rows)).toMatchObject({ ...page, ...ours });
    expect(Object.keys(page)).toHaveLength(14);
  });

  it('beside the interface are public, and change nothing on GET', () => {
    const others = endpoints.filter(({ area }) => beside.includes(area));
    expect(others.flatMap(({ scopes: needed }) => [...needed])).toEqual([]);
    const ofGet = others.filter(({ method }) => method === 'GET').flatMap(({ uses }) => [...uses]);
    expect(
      ofGet.filter((use) => capabilities[use].actions.some((action) => /:(Put|Update|Delete)/.test(action))),
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

  it('have all eight operations of notification built, and the mint and the read of persons', () => {
    const built = endpoints.map(({ operation }) => operation);
    const needed = Object.keys(page).filter((operation) => !/^(find|match|verify)Person|Document$/.test(operation));
    expect(built).toEqual(expect.arrayContaining(needed));
  });

  it.each(endpoints)('declare every parameter that stands in the path of $operation', ({ path, request }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(request.path ?? {})).toEqual(inPath);
  });

  it.each(endpoints)('name of $operation only scopes, capabilities and settings that there are', (one) => {
    expect(one.scopes.filter((scope) => !(scope in scopes))).toEqual([]);
    expect(one.uses.filter((use) => !(use in capabilities))).toEqual([]);
    expect(one.reads.filter((setting) => !(setting in settings))).toEqual([]);
  });

  it('that ask for a subscription ask whose it is, all but who follows the link of a mail', () => {
    const asking = endpoints.filter(({ reads }) => reads.includes('subscriptionOwnership'));
    const isOurs = ({ area, uses }: Endpoint) =>
      area !== 'pages' && area !== 'topics' && uses.some((use) => use.startsWith('subscriptions:'));
    expect(asking).toEqual(endpoints.filter(isOurs));
    expect(asking.every((one) => relevantScopes(one).includes('notif.admin'))).toBe(true);
  });

  it('that tell of persons take a purpose and write to the journal, and no others', () => {
    const telling = endpoints.filter(({ uses }) =>
      uses.some((use) => ['persons:read', 'persons:readMany', 'persons:find', 'documents:read'].includes(use)),
    );
    expect(telling.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['findPersons', 'readPerson', 'matchPerson', 'verifyPerson', 'readDocument']),
    );
    expect(endpoints.filter(({ isJournaled }) => isJournaled)).toEqual(telling);
    expect(endpoints.filter(({ request }) => request.headers?.purpose !== undefined)).toEqual(telling);
    expect(endpoints.filter(({ uses }) => uses.some((use) => /^journal:write/.test(use)))).toEqual(telling);
  });

  it.each(endpoints)('say of $operation in words what fails with it', ({ impact, summary }) => {
    expect(impact).toMatch(/^[A-Z].*\.$/);
    expect(summary).toMatch(/^[A-Z]/);
  });

  it('read repeated parameters only where they are declared', () => {
    for (const { request } of endpoints) {
      for (const name of request.repeatable ?? []) expect(Object.keys(request.query ?? {})).toContain(name);
    }
  });

  it('take every scope from the catalogue, and leave none of it unused', () => {
    const used = new Set(endpoints.flatMap(relevantScopes));
    expect([...used].toSorted()).toEqual(Object.keys(scopes).toSorted());
  });
});
