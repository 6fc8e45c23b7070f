import { expect, test } from 'vitest';
import { inbox } from '../../infra/local/demo/mailbox.ts';
import { generateUin, readPerson } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { confirmSubscription, subscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { createTopic, listTopics, publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { eventually } from '../harness/eventually.ts';
import { useWorld } from '../harness/no-internal-errors.ts';
import { confirmationIn, startReceiver } from '../harness/receiver.ts';
import { uniqueName } from '../harness/world.ts';

const world = await useWorld();
const { call, newTopic, subscribeTo, publish, attemptsAt } = world;

// The test puts this text into every field that a client, a publisher or a receiver can set.
const marker = uniqueName('Marker').replaceAll('-', '');
const note = 'x'.repeat(5000) + marker;

async function handlePersons(): Promise<string> {
  const uin = (
    await call(generateUin, { body: { firstName: marker, placeOfBirth: marker }, query: { transactionId: marker } })
  ).json;
  await call(generateUin, { body: { firstName: marker }, headers: { 'idempotency-key': marker } });
  expect((await call(readPerson, { path: { uin }, query: { attributeNames: 'firstName' } })).text).toContain(marker);
  const wrong = [{ dateOfBirth: marker }, { [marker]: 'Ada' }, { firstName: [marker] }, marker];
  for (const body of wrong) expect((await call(generateUin, { body })).status).toBe(400);
  expect((await call(readPerson, { path: { uin: marker }, query: { attributeNames: marker } })).status).toBe(404);
  return uin;
}

/** Makes deliveries fail at an HTTP receiver whose address and responses contain the marker. */
async function deliverByHttp(): Promise<string[]> {
  const topic = await newTopic();
  const receiver = await startReceiver();
  const address = `${receiver.url}/${marker}?who=${marker}`;
  const { uuid } = await subscribeTo(topic, address, { policy: '1,1' });
  const { token, messageId } = confirmationIn(await receiver.arrival('SubscriptionConfirmation'));
  await attemptsAt(messageId, uuid);
  await call(confirmSubscription, { query: { token } });
  receiver.answer(() => ({ status: 500, headers: { y: marker }, body: JSON.stringify({ code: 1, message: marker }) }));
  for (const body of [
    { source: marker, uin: '1', note: marker },
    { source: 'CRVS', uin: '1', note },
  ]) {
    await attemptsAt(await publish(topic, body, { query: { subject: marker } }), uuid);
  }
  return [token];
}

async function deliverByEmail(): Promise<string[]> {
  const topic = await newTopic();
  const address = `${marker}@example.org`;
  const { uuid } = await subscribeTo(topic, address, { protocol: 'email' });
  const [mail] = await eventually(async () => {
    const mails = await inbox(world.outputs.inboxUrl, address);
    return mails.length > 0 ? mails : Promise.reject(new Error('no mail yet'));
  });
  const token = /[\w-]{22}\.[\w-]{43}/.exec(mail?.body.text ?? '')?.[0] ?? '';
  await call(confirmSubscription, { query: { token } });
  await attemptsAt(await publish(topic, { source: marker }, { query: { subject: marker } }), uuid);
  return [token];
}

async function beRefused(): Promise<string[]> {
  const topic = await newTopic();
  const bad = `${world.token}A`;
  const path = { uuid: topic.uuid };
  const answers = await Promise.all([
    call(publishEvent, { path, body: marker, token: bad }),
    call(publishEvent, { path, body: marker, token: marker }),
    call(publishEvent, { path, query: { subject: 'death' }, body: { source: marker, uin: [marker] } }),
    call(publishEvent, { path, query: { [marker]: marker }, body: marker }),
    call(publishEvent, { path: { uuid: marker }, body: marker }),
    call(createTopic, { query: { name: `${marker}\n${'x'.repeat(300)}` } }),
    call(subscribe, { query: { topic: topic.uuid, address: marker } }),
    call(subscribe, { query: { topic: topic.uuid, protocol: 'email', address: `${marker}@` } }),
    call(confirmSubscription, { query: { token: marker } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 400, 400, 400, 400, 400, 400, 400]);
  return [bad, await world.sign({ scope: 'notif.topic.read' })];
}

test('the log states why a token was rejected, together with the request ID from the response', async () => {
  const token = await world.sign({ scope: 'notif.topic.read', aud: 'another-api', client_id: 'journeys' });
  const answer = await call(listTopics, { token });
  const requestId = String(answer.headers.get('x-amzn-requestid'));
  expect(answer.error.message).toContain(`request ${requestId}`);
  const [line = '', ...more] = world
    .logLines()
    .filter((one) => one.includes(requestId) && one.includes('token rejected'));
  expect(more).toEqual([]);
  expect(line).toContain('"reason":"audience"');
  expect(line).toContain(`"claimedIssuer":"${world.outputs.issuer}"`);
  expect(line).toMatch(/"keyId":"[^"]+"/);
});

test('the log names the scope that a rejected call lacks', async () => {
  const answer = await call(createTopic, {
    query: { name: 'x' },
    token: await world.sign({ scope: 'notif.topic.read' }),
  });
  expect(answer.status).toBe(403);
  const requestId = String(answer.headers.get('x-amzn-requestid'));
  const [line = ''] = world.logLines().filter((one) => one.includes(requestId) && one.includes('token rejected'));
  expect(line).toContain('"reason":"scope","needs":"notif.topic.write"');
});

test('the log never contains attribute values, bodies, subjects, addresses, keys or tokens', async () => {
  const [uin, ...secrets] = await Promise.all([handlePersons(), deliverByHttp(), deliverByEmail(), beRefused()]);
  const tokens = [world.token, ...secrets.flat()];
  const lines = world.logLines();

  // The operation IDs show that the test has captured the log.
  for (const operation of ['generateUin', 'readPerson', 'subscribe', 'confirmSubscription', 'publishEvent']) {
    expect(lines.filter((line) => line.includes(`"operation":"${operation}"`)).length).toBeGreaterThan(0);
  }
  const forms = [marker, marker.toLowerCase(), Buffer.from(marker).toString('base64').slice(2, -4), uin];
  for (const secret of [...forms, ...tokens, ...tokens.map((token) => token.split('.').at(-1) ?? '')]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  }
});
