import type { APIGatewayProxyResult } from 'aws-lambda';
import type { MailFeedback } from '../../../shared/domain/deliveries/mail-feedback.ts';
import { namingKey } from '../../../shared/domain/naming-key.ts';
import { subscriptionUuid } from '../../../shared/domain/subscriptions/pending-subscription.ts';
import { normaliseAddress } from '../../../shared/domain/subscriptions/subscription-address.ts';
import { topicUuid } from '../../../shared/domain/topics/topic.ts';
import { secretOfTests } from '../../harness/builders.ts';
import { apiEvent } from '../../harness/lambda-events.ts';
import type { Chance } from '../clock/chance.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import type { FunctionFacts, Platform } from '../lambda/platform.ts';
import type { MemorySqs } from '../sqs/sqs.ts';
import { apiFunctions, jobFunctions } from './deployed.ts';
import type { History } from './history.ts';
import type { Act, Subscriber } from './plan.ts';
import type { ImportAct } from './plan-imports.ts';
import type { Signing } from './signing.ts';

const naming = namingKey(secretOfTests, 'subscription ids');

/** Returns the UUID of a subscriber's subscription, even before the subscription exists. */
export const uuidOf = ({ topic, protocol, address }: Subscriber): string =>
  subscriptionUuid(naming, topicUuid(topic), protocol, normaliseAddress(protocol, address));

/** The name of a client that owns no planned subscription. */
export const otherClient = 'otherClient';

function queryOf({ topic, protocol, address, policy, subjects, deliveryFormat }: Subscriber): string {
  const query = new URLSearchParams({ topic, protocol, address, ...(policy === undefined ? {} : { policy }) });
  if (deliveryFormat !== undefined) query.append('deliveryFormat', deliveryFormat);
  for (const subject of subjects) query.append('subject', subject);
  return query.toString();
}

type Request = Parameters<typeof apiEvent>[0];

/** Calls the API. The result is undefined if the API function returned no response. */
export async function callApi(platform: Platform, facts: FunctionFacts, request: Request) {
  const ending = await platform.invoke(facts, apiEvent(request));
  if (ending.is !== 'returned') return undefined;
  const { statusCode, body } = ending.result as APIGatewayProxyResult;
  return { status: statusCode, json: body === '' ? undefined : JSON.parse(body) };
}

/** The simulated services that clients use, and the history that records the clients' actions. */
export interface ActTools<Recorded> {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly platform: Platform;
  readonly sqs: MemorySqs;
  readonly history: Recorded;
  readonly trace: (what: string) => void;
}

interface ClientTools extends ActTools<History> {
  readonly isShared: boolean;
  readonly signing: Signing;
}

const publisherAttempts = 4;

/** Returns functions that simulate clients and operators by calling the deployed functions. */
export function actsOf({ isShared, clock, chance, platform, sqs, history, signing, trace }: ClientTools) {
  const call = (facts: FunctionFacts, request: Request) => callApi(platform, facts, { isAdmin: isShared, ...request });

  /** Publishes an event. If the event has an idempotency key, retries after a 5xx response or a missing response. */
  async function publish({ topic, body, key, subject }: Act & { act: 'publish' }): Promise<void> {
    const query = subject === undefined ? '' : `subject=${encodeURIComponent(subject)}`;
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    for (let tries = 0; tries < publisherAttempts; tries++) {
      const answer = await call(apiFunctions.publish, { path: { uuid: topic }, body, headers, query });
      if (answer?.status === 200) {
        const { messageId } = answer.json;
        trace(`published ${messageId}`);
        history.publications.push({ messageId, body, at: clock.now(), isStored: history.messages.has(messageId) });
        return;
      }
      if (key === undefined || (answer !== undefined && answer.status < 500)) return;
      await clock.sleep(chance.int(100, 5000));
    }
  }

  async function redeliver(by: 'since' | 'message' | 'subscription'): Promise<void> {
    const job = jobFunctions.find(({ name }) => name === 'redeliver');
    const { publications, subscriptions } = history;
    const choices = {
      since: { since: new Date(clock.now() - chance.int(0, 86_400_000)).toISOString() },
      message: publications.length > 0 ? { messageId: chance.pick(publications).messageId } : undefined,
      subscription: subscriptions.size > 0 ? { subscription: chance.pick([...subscriptions.keys()]) } : undefined,
    };
    if (job === undefined || choices[by] === undefined) return;
    history.redeliveries.push(clock.now());
    await platform.invoke(job, choices[by]);
    history.redeliveries.push(clock.now());
  }

  /** Returns a random active subscription. */
  const anyActive = () => {
    const active = [...history.subscriptions.keys()].filter((uuid) => history.activeSince(uuid) !== undefined);
    return active.length === 0 ? undefined : chance.pick(active);
  };

  /** Redelivers a random message to a random active subscription to the message's topic. */
  async function again(): Promise<void> {
    const uuid = anyActive();
    const { generation } = (uuid && history.activeSince(uuid)?.row) || {};
    const theirs = [...history.messages].filter(([, message]) => message.generation === generation);
    if (uuid === undefined || theirs.length === 0) return;
    const [messageId] = chance.pick(theirs);
    const request = { uuid, messageId, at: clock.now(), endedAt: Number.POSITIVE_INFINITY };
    history.clientRedeliveries.push(request);
    const answer = await call(apiFunctions.redeliverMessage, { path: { uuid, messageId } });
    request.endedAt = clock.now();
    trace(`redeliver ${messageId} to ${uuid}: ${answer?.status}`);
  }

  async function recover(): Promise<void> {
    const uuid = anyActive();
    if (uuid === undefined) return;
    const at = clock.now();
    const since = at - chance.pick([60_000, 3_600_000, 86_400_000]);
    const query = `since=${new Date(since).toISOString()}`;
    const answer = await call(apiFunctions.recover, { path: { uuid }, query });
    const isAccepted = answer?.status === 202;
    const until = isAccepted ? Date.parse(answer.json.until) : at;
    history.recoveries.push({ uuid, at, since, until, isAccepted });
    trace(`recover ${uuid}: ${answer?.status}`);
  }

  async function interfere({ who, by }: Act & { act: 'interfere' }): Promise<void> {
    const path = { uuid: uuidOf(who) };
    const asked = { ...who, policy: '40,1', subjects: [], deliveryFormat: 'envelope' } as const;
    const query = queryOf(asked);
    if (by === 'subscribe') await call(apiFunctions.subscribe, { caller: otherClient, query });
    if (by === 'unsubscribe') await call(apiFunctions.unsubscribe, { caller: otherClient, path });
    const body = JSON.stringify({ policy: '50,1' });
    if (by === 'change') await call(apiFunctions.change, { caller: otherClient, path, body });
  }

  async function bounce(who: Subscriber): Promise<void> {
    const uuid = uuidOf(who);
    const generation = history.subscriptions.get(uuid)?.at(-1)?.row?.generation ?? '';
    const tags = { subscription: [uuid], generation: [generation] };
    const mail = { messageId: 'mail', timestamp: new Date(clock.now()).toISOString(), tags };
    const feedback: MailFeedback = { eventType: 'Bounce', mail, bounce: { bounceType: 'Permanent' } };
    sqs.queueAt('mailFeedback').send(JSON.stringify(feedback), '', 0);
  }

  return {
    async do(act: Exclude<Act, ImportAct>): Promise<void> {
      trace(`-- ${act.act} ${'topic' in act ? act.topic : 'who' in act ? uuidOf(act.who) : ''}`);
      switch (act.act) {
        case 'create':
          await call(apiFunctions.createTopic, { query: `name=${encodeURIComponent(act.topic)}` });
          break;
        case 'deleteTopic':
          await call(apiFunctions.deleteTopic, { path: { uuid: topicUuid(act.topic) } });
          break;
        case 'subscribe': {
          const from = clock.now();
          const answer = await call(apiFunctions.subscribe, { query: queryOf(act.who) });
          if (answer?.status === 200) history.subscribed.push({ uuid: answer.json.uuid, from, to: clock.now() });
          break;
        }
        case 'unsubscribe':
          await call(apiFunctions.unsubscribe, { path: { uuid: uuidOf(act.who) } });
          break;
        case 'change': {
          const body = JSON.stringify(act.patch);
          await call(apiFunctions.change, { path: { uuid: uuidOf(act.who) }, body });
          break;
        }
        case 'test': {
          // The test event is recorded before the call, because the event may arrive even if the call returns no
          // response.
          history.tested.add(uuidOf(act.who));
          await call(apiFunctions.test, { path: { uuid: uuidOf(act.who) } });
          break;
        }
        case 'interfere':
          await interfere(act);
          break;
        case 'bounce':
          await bounce(act.who);
          break;
        case 'publish':
          await publish(act);
          break;
        case 'redeliver':
          await redeliver(act.by);
          break;
        case 'redeliverOne':
          await again();
          break;
        case 'recover':
          await recover();
          break;
        case 'rotateSecret':
          signing.rotate();
          break;
        case 'purge':
          history.purges.push({ at: clock.now(), queue: act.queue });
          sqs.queueAt(act.queue).purge();
          break;
      }
    },
    confirm: async (token: string): Promise<void> => {
      await call(apiFunctions.confirm, { query: `token=${token}` });
    },
  };
}
