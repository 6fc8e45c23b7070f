import { randomUUID } from 'node:crypto';
import { type ApiResponse, expectSuccess, type Input, send } from './client.ts';
import type { Mails } from './mails.ts';
import type { Receiver, Responder, Webhook } from './receiver.ts';
import { Skipped, Violation } from './requirement.ts';
import { lacks, type Scope, scopes } from './tokens.ts';

export interface Topic {
  readonly uuid: string;
  readonly name: string;
}

export interface Subscription {
  readonly uuid: string;
  readonly topic: string;
  readonly protocol: string;
  readonly address: string;
  readonly policy: string;
  readonly active: boolean;
}

/** A document about one person, or about two persons if it has a `secondaryUin`. */
export interface StoredDocument {
  readonly uin: string;
  readonly doctype: string;
  readonly secondaryUin?: string | undefined;
}

export interface Access {
  readonly baseUrl: string;
  /** Returns a token that has exactly the given scopes. */
  readonly token: (scopes: readonly string[]) => Promise<string>;
  readonly receiver: Receiver | undefined;
  /** Returns the address of a mailbox that may receive a confirmation request. */
  readonly mailbox: (() => string) | undefined;
  /** Reads the emails that the mailbox receives. */
  readonly mails?: Mails | undefined;
  /** A stored one-page document. */
  readonly document: StoredDocument | undefined;
  /** If true, skips requirements that register persons, because persons cannot be removed. */
  readonly skipsRegistration?: boolean;
}

export const unique = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 13)}`;

/** A deployment as a client sees it. Records everything that a check creates, so that `cleanUp` can delete it. */
export function openDeployment(access: Access) {
  const { baseUrl, token: tokenFor, receiver, mailbox, mails, document, skipsRegistration } = access;
  const made = { topics: new Set<string>(), subscriptions: new Set<string>(), persons: 0 };
  const webhooks: Webhook[] = [];

  const token = (wanted: readonly string[] = scopes): Promise<string> => tokenFor(wanted);
  async function call(method: string, path: string, input: Input = {}): Promise<ApiResponse> {
    if (skipsRegistration && method === 'POST' && path === '/v1/uin' && input.token === undefined) {
      throw new Skipped('this check registers persons, who cannot be removed; npm run conformance includes it');
    }
    return send(baseUrl + path, method, input.token === undefined ? await token() : input.token, input);
  }

  /** Returns the entry with the given UUID from a list of topics or subscriptions. */
  async function find(path: '/v1/topics' | '/v1/subscriptions', uuid: string) {
    const list: (Topic & Subscription)[] = expectSuccess(await call('GET', path));
    return list.find((one) => one.uuid === uuid);
  }

  async function newTopic(name = unique('conformance')): Promise<Topic> {
    const topic: Topic = expectSuccess(await call('POST', '/v1/topics', { query: { name } }));
    made.topics.add(topic.uuid);
    return topic;
  }
  async function newPerson(attributes: Readonly<Record<string, unknown>>): Promise<string> {
    const uin = expectSuccess(await call('POST', '/v1/uin', { body: attributes }));
    made.persons++;
    return uin;
  }
  function newWebhook(): Webhook {
    if (receiver === undefined) {
      throw new Skipped('needs a receiver that the deployment can reach: --receiver URL --receiver-port PORT');
    }
    const opened = receiver.open();
    webhooks.push(opened);
    return opened;
  }
  async function subscribe(topic: Topic, address: string, query: Input['query'] = {}): Promise<Subscription> {
    const given = { topic: topic.name, address, ...query };
    const subscription: Subscription = expectSuccess(await call('POST', '/v1/subscriptions', { query: given }));
    made.subscriptions.add(subscription.uuid);
    return subscription;
  }
  const confirm = (token: string): Promise<ApiResponse> =>
    call('GET', '/v1/subscriptions/confirm', { query: { token } });

  /** Creates a confirmed subscription. After the subscription is confirmed, its webhook uses the given responder. */
  async function newSubscriber(topic: Topic, query: Input['query'] = {}, respond?: Responder) {
    const webhook = newWebhook();
    await subscribe(topic, webhook.address, query);
    const [confirmation] = await webhook.arrived('SubscriptionConfirmation');
    const { token } = JSON.parse(String(confirmation?.body));
    const subscription: Subscription = expectSuccess(await confirm(token));
    if (respond) webhook.respond = respond;
    return { webhook, subscription };
  }
  async function publish(topic: Topic, body: unknown, more: Input = {}): Promise<string> {
    const response = await call('POST', `/v1/topics/${topic.uuid}/publish`, { ...more, body });
    return expectSuccess(response).messageId;
  }

  /** Publishes an event to a new subscriber. Returns the delivery and the path of the new subscription. */
  async function newDelivery(subject = 'liveBirth', query: Input['query'] = {}) {
    const topic = await newTopic();
    const { webhook, subscription } = await newSubscriber(topic, query);
    const messageId = await publish(topic, { source: 'conformance', uin: '1' }, { query: { subject } });
    const [arrival] = await webhook.arrived('Notification');
    if (arrival === undefined) throw new Violation('the event did not arrive');
    return { webhook, messageId, arrival, path: `/v1/subscriptions/${subscription.uuid}` };
  }

  /** Deletes everything that the check created and that the API can delete. */
  async function cleanUp(): Promise<void> {
    for (const webhook of webhooks) {
      webhook.respond = () => 200;
      // Confirming a subscription frees the quota that its pending request uses.
      const confirmations = await webhook.arrived('SubscriptionConfirmation', 1, 5000).catch(() => []);
      for (const { body } of confirmations) await confirm(JSON.parse(String(body)).token);
    }
    for (const uuid of made.subscriptions) await call('DELETE', `/v1/subscriptions/${uuid}`);
    for (const uuid of made.topics) await call('DELETE', `/v1/topics/${uuid}`);
  }

  return {
    baseUrl,
    isLocal: isLocal(baseUrl),
    made,
    token,
    tokenWithout: async (unwanted: Scope) => lacks(await token(scopes.filter((one) => one !== unwanted)), unwanted),
    call,
    find,
    newTopic,
    newPerson,
    newWebhook,
    subscribe,
    confirm,
    newSubscriber,
    publish,
    newDelivery,
    cleanUp,
    storedDocument() {
      if (document === undefined)
        throw new Skipped('needs a stored one-page document: --document UIN/DOCTYPE/SECONDARYUIN');
      return document;
    },
    newMailbox(): string {
      if (mailbox === undefined)
        throw new Skipped('needs a mailbox that may receive confirmation requests: --mailbox ADDRESS');
      return mailbox();
    },
    openInbox(): Mails {
      if (mails === undefined) throw new Skipped('needs a readable inbox: --inbox URL');
      return mails;
    },
  };
}

export type Deployment = ReturnType<typeof openDeployment>;

export const isLocal = (url: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
