import { publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import {
  composeUnsubscribeToken,
  stopRequestsToken,
  unsubscribeKey,
} from '../../shared/domain/subscriptions/link-tokens.ts';
import { tokenOf } from '../harness/builders.ts';
import { simulatedSecret } from '../simulation/scale/aws-in-memory.ts';
import { mailboxOf } from '../simulation/scale/receivers.ts';
import type { Given } from './cost-asking.ts';
import { minuteMs, type Scenes, type Stage, settledMs } from './cost-stage.ts';

/** Scenes send 200 measured requests after one request that is not measured. */
const many = 201;
const event = { method: 'POST', body: JSON.stringify({ source: 'CR' }) };
const followsMs = settledMs;

/** Creates a subscriber that has received twenty events, and returns the path of the subscription. */
async function served({ world, topics, subscribers, ask }: Stage): Promise<Given> {
  const [topic] = topics(1);
  const [one] = subscribers(topic, 1);
  for (let count = 0; count < 20; count++) await ask(publishEvent, { ...event, path: { uuid: topic.uuid } });
  await world.clock.sleep(minuteMs);
  return { path: { uuid: String(one?.uuid) } };
}

/** Creates many subscribers of one topic. Returns a function that maps a number to the UUID of a subscription. */
const each = ({ topics, subscribers }: Stage, how?: Parameters<Stage['subscribers']>[2]) => {
  const all = subscribers(topics(1)[0], many, how);
  return (number: number): string => String(all[number]?.uuid);
};

const byToken = (method: string, token: string): Given => ({ method, query: `token=${encodeURIComponent(token)}` });

/** Returns a scene that sends the confirmation tokens of pending email subscribers. */
const confirming = (stage: Stage, method: string) => {
  const uuidOf = each(stage, { protocol: 'email', isPending: true });
  return [{ given: (number: number) => byToken(method, tokenOf(uuidOf(number))) }];
};

/** Returns a scene that sends the unsubscribe tokens of email subscribers. */
const leaving = ({ topics, subscribers }: Stage, method: string) => {
  const all = subscribers(topics(1)[0], many, { protocol: 'email' });
  const key = unsubscribeKey(simulatedSecret);
  const tokens = all.map((one) => composeUnsubscribeToken(one, key));
  return [{ given: (number: number) => byToken(method, String(tokens[number])) }];
};

const declining = (method: string) => [
  { given: (number: number) => byToken(method, stopRequestsToken(simulatedSecret, mailboxOf(number))) },
];

export const subscriptionScenes = {
  async subscribe({ topics }) {
    const [{ uuid }] = topics(1);
    // Each request has its own client and host, so that no request exceeds a rate limit. Hosts are IP addresses,
    // because DNS lookups do not use the virtual clock.
    const given = (number: number): Given => {
      const address = encodeURIComponent(`https://9.9.9.${number}/notify`);
      return { method: 'POST', query: `topic=${uuid}&address=${address}`, caller: `client-${number}` };
    };
    return [{ of: 'including the confirmation request by http', given, followsMs }];
  },
  async listSubscriptions({ topics, subscribers }) {
    subscribers(topics(1)[0], 20);
    return [{ of: 'of twenty', given: {} }];
  },
  readSubscription: async (stage) => [{ of: 'after twenty received events', given: await served(stage) }],
  async changeSubscription(stage) {
    const uuidOf = each(stage);
    const body = JSON.stringify({ policy: '120,5' });
    return [{ given: (number: number) => ({ method: 'PATCH', path: { uuid: uuidOf(number) }, body }) }];
  },
  async testSubscription(stage) {
    const uuidOf = each(stage);
    const given = (number: number) => ({ method: 'POST', path: { uuid: uuidOf(number) } });
    return [{ of: 'including the delivery by http', given, followsMs }];
  },
  async unsubscribe(stage) {
    const uuidOf = each(stage);
    return [{ given: (number: number) => ({ method: 'DELETE', path: { uuid: uuidOf(number) } }) }];
  },
  async confirmSubscription(stage) {
    const uuidOf = each(stage, { isPending: true });
    return [{ given: (number: number) => ({ query: `token=${tokenOf(uuidOf(number))}` }) }];
  },
  listDeliveries: async (stage) => [{ of: 'of twenty', given: await served(stage) }],
  async redeliverMessage(stage) {
    const { world, topics, subscribers, ask } = stage;
    const [topic] = topics(1);
    const all = subscribers(topic, many);
    const { messageId } = JSON.parse(await ask(publishEvent, { ...event, path: { uuid: topic.uuid } }));
    await world.clock.sleep(settledMs);
    const path = (number: number) => ({ uuid: String(all[number]?.uuid), messageId });
    const given = (number: number): Given => ({ method: 'POST', path: path(number) });
    return [{ of: 'including the delivery by http', given, followsMs }];
  },
  async recoverSubscription({ world, topics, subscribers, ask }) {
    const [topic] = topics(1);
    // The event is published before the subscribers exist, so all subscribers have missed the event.
    await ask(publishEvent, { ...event, path: { uuid: topic.uuid } });
    await world.clock.sleep(settledMs);
    const all = subscribers(topic, many);
    const given = (number: number): Given => ({ method: 'POST', path: { uuid: String(all[number]?.uuid) } });
    return [{ of: 'one missed event, including its delivery by http', given, followsMs }];
  },
  showConfirmation: async (stage) => confirming(stage, 'GET'),
  confirmByPage: async (stage) => confirming(stage, 'POST'),
  showUnsubscribe: async (stage) => leaving(stage, 'GET'),
  // Mail programs send the same request when a user unsubscribes with one click (RFC 8058).
  unsubscribeByPage: async (stage) =>
    leaving(stage, 'POST').map((one) => ({ of: 'on the page or with one click in a mail program', ...one })),
  showStopRequests: async () => declining('GET'),
  stopRequestsByPage: async () => declining('POST'),
} as const satisfies Scenes;
