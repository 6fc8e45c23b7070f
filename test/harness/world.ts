import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inject } from 'vitest';
import type { LocalOutputs } from '../../infra/local/aws/template/outputs.ts';
import { subscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { createTopic, publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { type Scope, scopes } from '../../shared/contract/scopes.ts';
import type { DeliveryOutcome } from '../../shared/domain/deliveries/outcome.ts';
import type { Subscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { Topic } from '../../shared/domain/topics/topic.ts';
import { type ReceivedEvent, receive } from '../../shared/receiver/receive.ts';
import { openAws } from './aws.ts';
import { createCall, type Input } from './call.ts';
import { eventually } from './eventually.ts';
import { type Receiver, type Respond, startReceiver } from './receiver.ts';
import { type Claims, sign } from './signer.ts';

/** The data that another process needs in order to use a running stack. */
export interface StackUnderTest {
  readonly outputs: LocalOutputs;
  readonly logFile: string;
  readonly signUrl: string;
}

export const allScopes = Object.keys(scopes) as Scope[];

/** A name that no other test uses. */
export const uniqueName = (prefix = 'topic'): string => `${prefix}-${randomUUID().slice(0, 13)}`;

/** Requests a token from the stack's issuer. */
async function fetchToken(tokenUrl: string, wanted: readonly Scope[], client = 'journeys'): Promise<string> {
  const response = await fetch(tokenUrl, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client}:secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: wanted.join(' ') }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

interface Subscribing {
  readonly policy?: string;
  /** Chooses the response to each delivery after the confirmation, in place of the receiver module. */
  readonly answering?: Respond;
}

interface Subscriber {
  readonly receiver: Receiver;
  readonly subscription: Subscription;
}

/** Returns the steps that journeys in a running stack have in common. `call` uses a token that has every scope. */
export async function openWorld(stack: StackUnderTest = inject('stack')) {
  const { outputs, logFile, signUrl } = stack;
  const token = await fetchToken(outputs.tokenUrl, allScopes);
  const call = createCall(outputs.baseUrl, token);
  const aws = openAws(outputs);

  const newTopic = async (name = uniqueName()): Promise<Topic> => (await call(createTopic, { query: { name } })).json;

  const subscribeTo = async (topic: Topic, address: string, more: Record<string, string> = {}): Promise<Subscription> =>
    (await call(subscribe, { query: { topic: topic.uuid, address, ...more } })).json;

  /** Starts a receiver that verifies messages and confirms subscriptions with the receiver module. */
  function startOwnReceiver(onEvent: (event: ReceivedEvent) => void = () => {}): Promise<Receiver> {
    const { handle } = receive({ registry: outputs.baseUrl, accessToken: () => token, onEvent });
    return startReceiver(async ({ headers, body }) => ({ status: await handle(headers, body) }));
  }

  /** Creates a receiver that has a confirmed subscription. */
  async function newSubscriber(topic: Topic, { policy, answering }: Subscribing = {}): Promise<Subscriber> {
    const receiver = await startOwnReceiver();
    const pending = await subscribeTo(topic, receiver.url, policy === undefined ? {} : { policy });
    const { headers } = await receiver.arrival('SubscriptionConfirmation');
    await attemptsAt(String(headers['message-id']), pending.uuid);
    if (answering) receiver.answer(answering);
    return { receiver, subscription: { ...pending, active: true } };
  }

  /** Publishes an event and returns its message ID. */
  const publish = async (topic: Topic, body: unknown, more: Omit<Input, 'path' | 'body'> = {}): Promise<string> =>
    (await call(publishEvent, { ...more, path: { uuid: topic.uuid }, body })).json.messageId;

  /** Waits until the delivery of a message to a subscription has a final outcome. Returns all attempts. */
  async function attemptsAt(messageId: string, subscriptionUuid: string): Promise<DeliveryOutcome[]> {
    const seen = new Map<number, DeliveryOutcome>();
    await eventually(async () => {
      for (const outcome of await aws.outcomes(messageId, subscriptionUuid)) seen.set(outcome.at, outcome);
      if ([...seen.values()].every(({ next }) => next === 'retry')) throw new Error(`${messageId} is still pending`);
    });
    return [...seen.values()];
  }

  return {
    outputs,
    aws,
    token,
    call,
    newTopic,
    subscribeTo,
    startOwnReceiver,
    newSubscriber,
    publish,
    attemptsAt,
    tokenFor: (wanted: readonly Scope[], client?: string) => fetchToken(outputs.tokenUrl, wanted, client),
    sign: (claims: Claims) => sign(signUrl, claims),
    logLines: () => readFileSync(logFile, 'utf8').split('\n').filter(Boolean),
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
