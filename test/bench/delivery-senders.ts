import { randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import { openSender } from '../../shared/delivery/http/http-context.ts';
import { composeMessage } from '../../shared/domain/deliveries/compose-message.ts';
import { networks } from '../../shared/domain/network.ts';
import { aNotification, aSubscription } from '../harness/builders.ts';

const atOnce = 50;
const perTask = 10;
const body = JSON.stringify({ source: 'CR', uin: '2931007854', event: 'birth', date: '2024-03-01', place: 'Kigali' });
const compose = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;

/** Delivers messages to a receiver, and resolves when all messages have been delivered. */
export type Sender = (url: string, count: number) => Promise<void>;

/** Keeps `atOnce` deliveries in progress until `count` deliveries have finished. */
async function inLanes(count: number, one: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/**
 * Returns our http sender, with the same configuration as in the worker. Each message goes to the given number of
 * recipients.
 */
function ours(recipients: number): Sender {
  const secret = { current: { text: randomBytes(32).toString('hex'), createdAt: Date.now() }, previous: undefined };
  const settings = {
    allowedNetworks: networks('127.0.0.0/8', '::1/128'),
    receiverTimeoutSeconds: 15,
    signatureOverlapDays: 7,
    hmacSignatures: false,
    keepResponses: false,
  };
  const sender = openSender({ settings, signing: { versions: async () => secret }, now: Date.now }, () => {});
  const bodyBase64 = Buffer.from(body).toString('base64');
  return async (url, count) => {
    const subscription = aSubscription(undefined, { address: url });
    const content = aNotification();
    let message = composeMessage(content, bodyBase64, compose);
    await inLanes(count, async (index) => {
      if (index % recipients === 0) {
        message = composeMessage({ ...content, messageId: crypto.randomUUID() }, bodyBase64, compose);
      }
      const outcome = await sender.deliver(message, subscription);
      if (outcome.class !== 'delivered') throw new Error(`a delivery ended with ${JSON.stringify(outcome)}`);
    });
  };
}

const headers = { 'content-type': 'application/json' };
const dispatcher = new Agent();

const bareUndici: Sender = (url, count) =>
  inLanes(count, async () => {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher });
    await answer.body.dump();
  });

const globalFetch: Sender = (url, count) =>
  inLanes(count, async () => {
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.arrayBuffer();
  });

export const several = `${perTask} recipients per message`;
export const single = '1 recipient per message';
export const bare = 'bare undici';
export const byFetch = 'global fetch';

/** The senders to compare, keyed by name. */
export const senders: Readonly<Record<string, Sender>> = {
  [several]: ours(perTask),
  [single]: ours(1),
  [bare]: bareUndici,
  [byFetch]: globalFetch,
};
