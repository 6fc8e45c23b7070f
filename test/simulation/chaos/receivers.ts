import type { SQSEvent } from 'aws-lambda';
import type { Sender } from '../../../shared/delivery/delivery-context.ts';
import type { ComposedMessage } from '../../../shared/domain/deliveries/compose-message.ts';
import type { Outcome } from '../../../shared/domain/deliveries/outcome.ts';
import type { DeliveryTask } from '../../../shared/domain/deliveries/task.ts';
import { neverResolves, runAs } from '../clock/actor.ts';
import type { Chance } from '../clock/chance.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import { currentInstance } from '../lambda/platform.ts';
import type { Faults } from './faults.ts';
import type { History, Post } from './history.ts';
import { responseTo } from './judge-responses.ts';
import type { Signing } from './signing.ts';

/** The way a receiver responds during a period. */
export type Behaviour =
  | { readonly is: 'ok' | 'slow' | 'hang' | 'refused' | 'postponed' | 'flapping' }
  | { readonly is: 'status'; readonly status: number; readonly retryAfterSeconds?: number };

/** A subscriber, with the behaviour of the receiver and the way in which the subscriber confirms subscriptions. */
export interface Person {
  readonly protocol: 'http' | 'email';
  readonly address: string;
  /**
   * The receiver's behaviours in order, each with its end time in epoch milliseconds. The last behaviour has no end.
   */
  readonly behaviours: readonly { readonly until: number; readonly behaviour: Behaviour }[];
  /** The probability that a response is lost. Responses are lost only while faults are injected. */
  readonly lostResponses: number;
  readonly confirms: 'inside' | 'later' | 'twice' | 'never';
  /** The action that the receiver sometimes takes while it processes a message. */
  readonly reacts: 'never' | 'unsubscribe' | 'change' | 'redeliverOne' | 'recover' | 'subscribe' | 'bounce';
}

/** Returns a random behaviour for a receiver during a period. */
export const drawBehaviour = (protocol: Person['protocol'], chance: Chance): Behaviour => {
  const kind = chance.weighed({ ok: 6, slow: 2, hang: 2, refused: 1, flapping: 4, status: 3, postponed: 1 });
  if (kind === 'postponed') return { is: protocol === 'email' ? 'postponed' : 'slow' };
  if (kind !== 'status') return { is: kind };
  const status = chance.pick([500, 404, 429, 503, 503, 410]);
  // A 410 response ends the subscription, so most 410 responses are replaced by 500.
  if (status === 410 && chance.happens(0.7)) return { is: 'status', status: 500 };
  const isAsked = (status === 429 || status === 503) && chance.happens(0.6);
  return { is: 'status', status, ...(isAsked ? { retryAfterSeconds: chance.int(1, 1800) } : {}) };
};

interface ReceiverTools {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly history: History;
  readonly faults: Faults;
  /** Undefined if messages are not signed. */
  readonly signing: Signing | undefined;
  readonly timeoutMs: number;
  readonly personAt: (address: string) => Person | undefined;
  readonly confirm: (token: string) => Promise<void>;
  readonly react: (person: Person) => void;
  readonly trace: (what: string) => void;
}

/** Returns whether the instance sends the message to the subscription as a probe. */
function isProbed(instance: ReturnType<typeof currentInstance>, messageId: string, uuid: string): boolean {
  const { Records = [] } = (instance?.invocation?.event ?? {}) as Partial<SQSEvent>;
  const tasks: DeliveryTask[] = Records.map(({ body }) => JSON.parse(body));
  return tasks.some(
    ({ isProbe, content, subscriptionUuids }) =>
      isProbe === true && content.messageId === messageId && subscriptionUuids.includes(uuid),
  );
}

const failure = (protocol: Person['protocol'], status: number): Outcome =>
  protocol === 'http' ? { class: 'http', status } : { class: 'email' };

/** Returns the event in a message, and the format in which the event is sent. */
function eventIn(
  { type, body, published }: ComposedMessage,
  protocol: Person['protocol'],
): Pick<Post, 'body' | 'format'> {
  if (type !== 'Notification') return { body: body.toString(), format: undefined };
  if (protocol === 'email') return { body: String(published?.body), format: undefined };
  const received = JSON.parse(body.toString());
  if (received.type !== 'Notification') return { body: body.toString(), format: 'raw' };
  return { body: received.message, format: 'envelope' };
}

/** Returns a sender that delivers to the simulated receivers. */
export function receiversOf(tools: ReceiverTools): Sender {
  const { clock, chance, history, faults, signing, timeoutMs, personAt, trace } = tools;

  const behaviourNow = ({ behaviours }: Person): Behaviour =>
    (behaviours.find(({ until }) => clock.now() < until) ?? behaviours.at(-1))?.behaviour ?? { is: 'ok' };

  /** Returns a random response of a receiver, and the time that the response takes. */
  function answerOf(person: Person): { tookMs: number; outcome: Outcome } {
    const behaviour = behaviourNow(person);
    const quick = chance.int(1, 80);
    const { protocol } = person;
    if (behaviour.is === 'status') {
      const { status, retryAfterSeconds } = behaviour;
      const outcome = failure(protocol, status);
      return { tookMs: quick, outcome: retryAfterSeconds === undefined ? outcome : { ...outcome, retryAfterSeconds } };
    }
    if (behaviour.is === 'postponed')
      return { tookMs: quick, outcome: { class: 'email', isPostponed: true, retryAfterSeconds: 60 } };
    if (behaviour.is === 'hang') return { tookMs: timeoutMs, outcome: { class: 'timeout' } };
    if (behaviour.is === 'refused') return { tookMs: quick, outcome: { class: 'connect' } };
    if (behaviour.is === 'flapping' && chance.happens(0.5))
      return chance.happens(0.5)
        ? { tookMs: quick, outcome: failure(protocol, 500) }
        : { tookMs: timeoutMs, outcome: { class: 'timeout' } };
    const tookMs = behaviour.is === 'slow' ? chance.int(500, timeoutMs - 1) : quick;
    return { tookMs, outcome: { class: 'delivered', ...(protocol === 'http' ? { status: 200 } : {}) } };
  }

  /** Confirms the subscription according to the plan: immediately, later, twice or never. */
  async function handleConfirmation({ confirms }: Person, token: string): Promise<void> {
    if (confirms === 'never') return;
    const confirm = () => runAs(undefined, () => tools.confirm(token));
    if (confirms === 'inside') return confirm();
    runAs(undefined, () => {
      clock.after(chance.int(1000, 120_000), () => void confirm());
      if (confirms === 'twice') clock.after(chance.int(1000, 240_000), () => void confirm());
    });
  }

  return {
    async deliver(message, { uuid, address }) {
      const { messageId, type, confirmation } = message;
      const instance = currentInstance();
      const kind = faults.drawPostFault();
      await clock.sleep(chance.int(1, 30));
      if (kind === 'crash before') return faults.die();
      const person = personAt(address);
      if (person === undefined) throw new Error('no receiver has this address');
      const { tookMs, outcome } = answerOf(person);
      const isAccepted = outcome.class === 'delivered';
      const isLost = isAccepted && faults.isOn() && chance.happens(person.lostResponses);
      const about = { messageId, uuid, type, ...eventIn(message, person.protocol), at: clock.now() };
      const post: Post = {
        ...about,
        run: history.runOf(instance),
        isProbe: isProbed(instance, messageId, uuid),
        isAccepted,
        isVerified: person.protocol === 'email' || ((await signing?.isVerified(message, address)) ?? true),
        outcome: undefined,
        endedAt: undefined,
      };
      const response = responseTo(history.posts.length);
      history.posts.push(post);
      trace(
        `POST ${type === 'Notification' ? messageId : 'confirmation'} to ${uuid}: ${isLost ? 'lost ' : ''}${outcome.class}`,
      );
      const isReacting = type === 'Notification' && person.reacts !== 'never' && faults.isOn() && chance.happens(0.1);
      if (isReacting) runAs(undefined, () => clock.after(chance.int(0, 2 * tookMs), () => tools.react(person)));
      // A receiver that confirms before it responds may exceed the sender's timeout.
      if (isAccepted && confirmation !== undefined)
        await Promise.race([handleConfirmation(person, confirmation.token), clock.sleep(timeoutMs)]);
      const restMs = Math.max(0, timeoutMs - (clock.now() - about.at));
      const answered: Outcome = isLost ? { class: chance.pick(['timeout', 'connect'] as const) } : outcome;
      const seen: Outcome = tookMs > restMs ? { class: 'timeout' } : answered;
      await clock.sleep(seen.class === 'timeout' ? restMs : tookMs);
      if (kind === 'crash after') return faults.die();
      if (instance?.isOver) return neverResolves();
      post.outcome = seen;
      post.endedAt = clock.now();
      return seen.class === 'http' ? { ...seen, response } : seen;
    },
  };
}
