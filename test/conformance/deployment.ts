import { randomUUID } from 'node:crypto';
import { type Answer, type Input, send, succeeded } from './client.ts';
import type { Mails } from './mails.ts';
import type { Answering, Letterbox, Receiver } from './receiver.ts';
import { NotTried } from './sentence.ts';
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

export interface Access {
  readonly baseUrl: string;
  /** Gives a token with these scopes and no other. */
  readonly token: (scopes: readonly string[]) => Promise<string>;
  readonly receiver: Receiver | undefined;
  /** Gives a mailbox that may be asked to confirm. */
  readonly mailbox: (() => string) | undefined;
  /** Reads the mails to such a mailbox. */
  readonly mails?: Mails | undefined;
  /** A person and the type of a document of one page that it has. */
  readonly document: { readonly uin: string; readonly doctype: string } | undefined;
  /** Whether nobody may be registered: whoever is remains. */
  readonly isSparing?: boolean;
}

export const unique = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 13)}`;

/** A deployment as its callers see it, and what one sentence has made in it. */
export function openDeployment(access: Access) {
  const { baseUrl, token: tokenFor, receiver, mailbox, mails, document, isSparing } = access;
  const made = { topics: new Set<string>(), subscriptions: new Set<string>(), persons: 0 };
  const letterboxes: Letterbox[] = [];

  const token = (wanted: readonly string[] = scopes): Promise<string> => tokenFor(wanted);
  async function call(method: string, path: string, input: Input = {}): Promise<Answer> {
    if (isSparing && method === 'POST' && path === '/v1/uin' && input.token === undefined) {
      throw new NotTried('registers persons, who remain: npm run conformance tries it');
    }
    return send(baseUrl + path, method, input.token === undefined ? await token() : input.token, input);
  }

  async function newTopic(name = unique('conformance')): Promise<Topic> {
    const topic: Topic = succeeded(await call('POST', '/v1/topics', { query: { name } }));
    made.topics.add(topic.uuid);
    return topic;
  }
  async function newPerson(attributes: Readonly<Record<string, unknown>>): Promise<string> {
    const uin = succeeded(await call('POST', '/v1/uin', { body: attributes }));
    made.persons++;
    return uin;
  }
  function newLetterbox(): Letterbox {
    if (receiver === undefined) {
      throw new NotTried('needs a receiver that the deployment reaches: --receiver URL --receiver-port PORT');
    }
    const opened = receiver.open();
    letterboxes.push(opened);
    return opened;
  }
  async function subscribe(topic: Topic, address: string, query: Input['query'] = {}): Promise<Subscription> {
    const given = { topic: topic.name, address, ...query };
    const subscription: Subscription = succeeded(await call('POST', '/v1/subscriptions', { query: given }));
    made.subscriptions.add(subscription.uuid);
    return subscription;
  }
  const confirm = (token: string): Promise<Answer> => call('GET', '/v1/subscriptions/confirm', { query: { token } });

  /** A confirmed subscription, whose address answers as told from then on. */
  async function newSubscriber(topic: Topic, query: Input['query'] = {}, answering?: Answering) {
    const letterbox = newLetterbox();
    await subscribe(topic, letterbox.address, query);
    const [confirmation] = await letterbox.arrived('SubscriptionConfirmation');
    const { token } = JSON.parse(String(confirmation?.body));
    const subscription: Subscription = succeeded(await confirm(token));
    if (answering) letterbox.answering = answering;
    return { letterbox, subscription };
  }
  async function publish(topic: Topic, body: unknown, more: Input = {}): Promise<string> {
    const answer = await call('POST', `/v1/topics/${topic.uuid}/publish`, { ...more, body });
    return succeeded(answer).messageId;
  }

  /** Takes away what was made, as far as the interface can. */
  async function cleanUp(): Promise<void> {
    for (const letterbox of letterboxes) {
      letterbox.answering = () => 200;
      // Confirming gives back the place that an unconfirmed request takes.
      const confirmations = await letterbox.arrived('SubscriptionConfirmation', 1, 5000).catch(() => []);
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
    newTopic,
    newPerson,
    newLetterbox,
    subscribe,
    confirm,
    newSubscriber,
    publish,
    cleanUp,
    storedDocument() {
      if (document === undefined) throw new NotTried('needs a stored document of one page: --document UIN/DOCTYPE');
      return document;
    },
    newMailbox(): string {
      if (mailbox === undefined) throw new NotTried('needs a mailbox that may be asked to confirm: --mailbox ADDRESS');
      return mailbox();
    },
    openInbox(): Mails {
      if (mails === undefined) throw new NotTried('needs an inbox that can be read: --inbox URL');
      return mails;
    },
  };
}

export type Deployment = ReturnType<typeof openDeployment>;

export const isLocal = (url: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
