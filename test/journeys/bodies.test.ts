import { expect, test } from 'vitest';
import { publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { call, newTopic, newSubscriber, publish } = world;
leavesNoErrors(world);

const json = 'application/json';
const text = 'text/plain; charset=utf-8';
const kilobytes200 = JSON.stringify({ source: 'CRVS', note: 'ẞ€'.repeat(41_000) });

test.concurrent.each<[name: string, body: string, contentType: string]>([
  ['text in many scripts', '{"source":"CRVS","name":"Zoë Ångström 東京 👩‍👧 \\u00e9"}', json],
  ['unusual white space', ' \r\n{\t"a" :1 ,\n\n"b":[ ]}  \n', json],
  ['characters outside the Basic Multilingual Plane and combining marks', 'e\u0301 \u{1f476} \u202eabc', text],
  ['a byte order mark', '\ufeff{"a":1}', text],
  ['a number that JSON libraries round', '{"n":12345678901234567890.10}', json],
  ['a duplicate key', '{"a":1,"a":2}', json],
  ['control characters', 'a\u0000b\u0007c\u001b', text],
  ['a single JSON value', '"text"', json],
  ['one space', ' ', text],
  ['200 KB', kilobytes200, json],
])('a body with %s is delivered unchanged, byte for byte', async (_name, body, contentType) => {
  const topic = await newTopic();
  const { receiver } = await newSubscriber(topic);
  const messageId = await publish(topic, body);
  const event = await receiver.arrival('Notification');
  expect(event.body.equals(Buffer.from(body))).toBe(true);
  expect(event.headers).toMatchObject({ 'message-id': messageId, 'content-type': contentType });
});

test('a body may have at most 256 KiB', async () => {
  const topic = await newTopic();
  const { receiver } = await newSubscriber(topic);
  const most = 'é'.repeat(128 * 1024);
  const refused = await call(publishEvent, { path: { uuid: topic.uuid }, body: `${most}x` });
  expect(refused.status).toBe(413);
  expect(refused.error.message).toContain('262144 bytes');
  await publish(topic, most);
  const event = await receiver.arrival('Notification');
  expect(event.body.equals(Buffer.from(most))).toBe(true);
  expect(receiver.of('Notification')).toHaveLength(1);
});

test.each(['décès', '100 % sure', 'a%20b'])('receivers can always decode the subject header: %s', async (subject) => {
  const topic = await newTopic();
  const { receiver } = await newSubscriber(topic);
  await publish(topic, 'x', { query: { subject } });
  const { headers } = await receiver.arrival('Notification');
  expect(decodeURIComponent(String(headers.subject))).toBe(subject);
});
