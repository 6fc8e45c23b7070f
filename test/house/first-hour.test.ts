import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  exampleConfirmation,
  exampleEvent,
  exampleKey,
  exampleRecipient,
  exampleTime,
} from '../../infra/docs/first-hour.ts';
import { signer } from '../../shared/delivery/signing/signature.ts';
import { verify } from '../../shared/receiver/verify.ts';
import { startReceiver } from '../harness/receiver.ts';
import { aSender } from '../harness/sender.ts';

const readme = readFileSync(new URL('../../functions/README.md', import.meta.url), 'utf8');
const shown = [...readme.matchAll(/^```http\n([\s\S]*?)\n\n([\s\S]*?)\n```$/gm)].map(([, head = '', body = '']) => {
  const [line, ...fields] = head.split('\n');
  return { line, headers: Object.fromEntries(fields.map((field) => field.split(/: (.*)/s, 2))), body };
});

it.each([
  ['confirmation request', exampleConfirmation, shown[0]],
  ['event', exampleEvent, shown[1]],
])('the README shows the %s exactly as the sender sends it', async (_, message, example) => {
  const receiver = await startReceiver();
  const now = () => Date.parse(exampleTime);
  const sender = aSender({ sign: signer({ keys: async () => [exampleKey], hasHmac: false, now }) });
  const path = new URL(exampleRecipient.address).pathname;
  await sender.deliver(message, { ...exampleRecipient, address: new URL(path, receiver.url).href });
  await sender.close();
  const [received] = receiver.received;
  const { host: _host, connection: _connection, ...headers } = received?.headers ?? {};
  expect(`${received?.method} ${received?.path} HTTP/1.1`).toBe(example?.line);
  expect({ ...headers, host: 'receiver.example.org' }).toEqual(example?.headers);
  expect(received?.body.toString()).toBe(example?.body);
});

it('the key in the README verifies both deliveries in the README', () => {
  const [, keys = '{}'] = /^```json\n(\{"keys".*)\n```$/m.exec(readme) ?? [];
  expect(shown).toHaveLength(2);
  for (const { headers, body } of shown) {
    expect(verify(headers, Buffer.from(body), JSON.parse(keys), Date.parse(exampleTime))).toBeDefined();
  }
});
