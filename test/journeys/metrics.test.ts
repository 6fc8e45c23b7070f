import { expect, test } from 'vitest';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { findPersons, generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { listTopics } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { metrics } from '../../shared/contract/metrics.ts';
import { openDocuments } from '../harness/document-client.ts';
import { readEmbedded } from '../harness/embedded-metrics.ts';
import { eventually } from '../harness/eventually.ts';
import { importChanges } from '../harness/import-file.ts';
import { textPdf } from '../harness/pdf-files.ts';
import { status } from '../harness/receiver.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';
import { uniqueName } from '../harness/world.ts';

const { stack, world } = await openSeparateWorld();
const { call, newTopic, newSubscriber, publish, attemptsAt } = world;
const documents = openDocuments(world);

const told = () =>
  world.logLines().flatMap((line) => {
    const [functionName = '', text = ''] = line.split(/: (.*)/s);
    return text.startsWith('{"_aws"') ? readEmbedded(text).map((metric) => ({ functionName, ...metric })) : [];
  });
const sumOf = (name: string, dimensions: Record<string, string>): number =>
  told()
    .filter(
      (one) => one.name === name && Object.entries(dimensions).every(([key, value]) => one.dimensions[key] === value),
    )
    .reduce((sum, { values }) => sum + values.reduce((all, value) => all + value, 0), 0);

test('every metric is emitted by the functions that the list of metrics names, in a format that CloudWatch can read', async () => {
  const topic = await newTopic();
  const good = await newSubscriber(topic);
  const bad = await newSubscriber(topic, { policy: '1,1', answering: status(503) });
  const messageId = await publish(topic, { source: 'CRVS' }, { headers: { 'idempotency-key': 'once' } });
  await publish(topic, { source: 'CRVS' }, { headers: { 'idempotency-key': 'once' } });
  await attemptsAt(messageId, good.subscription.uuid);
  await attemptsAt(messageId, bad.subscription.uuid);

  await Promise.all(Array.from({ length: 101 }, () => call(generateUin, { body: { lastName: 'Many' } })));
  // A repeated request does not create another UIN.
  const once = { body: { lastName: 'One' }, headers: { 'idempotency-key': 'once' } };
  expect((await call(generateUin, once)).json).toBe((await call(generateUin, once)).json);
  const search = await call(findPersons, { query: { lastName: 'Many', names: 'lastName' } });
  expect(search.status).toBe(400);

  const uin = await documents.newPerson();
  await documents.put(uin, 'birth/-/certificate', textPdf());
  await documents.get(uin, { doctype: 'birth', format: 'png' });
  await importChanges(world, [{ change: 'register', uin: uniqueName('A'), attributes: { lastName: 'Imported' } }]);

  expect((await call(listTopics, { token: 'bad' })).status).toBe(401);
  expect((await call(listTopics, { token: await world.tokenFor(['pr.person.read']) })).status).toBe(403);
  await expect(stack.invoke('redeliver', { nothing: 1 })).rejects.toThrow();
  await stack.invoke('sweep', {});
  await stack.invoke('exportJournal', {});
  await stack.invoke('exportDeliveries', {});

  await eventually(() => {
    for (const [name, { unit, by, from }] of Object.entries(metrics)) {
      const found = told().filter((one) => one.name === name);
      expect(found, name).not.toEqual([]);
      for (const { namespace, functionName, dimensions, ...one } of found) {
        expect([namespace, one.unit, Object.keys(dimensions)]).toEqual([namesOf('dev').metrics, unit, [by]]);
        if (by === 'Function') expect(dimensions[by]).toBe(functionName);
        if (from !== 'all') expect(from, name).toContain(functionName);
      }
    }
    expect(sumOf('EventsAccepted', {})).toBe(1);
    expect(sumOf('UinsMinted', {})).toBe(103);
    expect(sumOf('FirstAttemptsFailed', {})).toBe(1);
    expect(sumOf('Attempts', { Class: 'http' })).toBe(2);
    expect(sumOf('DeliveriesFailed', {})).toBe(1);
    expect(sumOf('Faults', { Function: 'redeliver' })).toBe(1);
    expect(sumOf('CallersRefused', { Reason: 'malformed' })).toBe(1);
    expect(sumOf('CallersRefused', { Reason: 'scope' })).toBe(1);
  });
});
