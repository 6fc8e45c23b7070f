import type { Sender } from '../../../shared/delivery/engine/sender.ts';
import type { Outcome } from '../../../shared/model/deliveries/outcome.ts';
import type { Chance } from '../clock/chance.ts';
import { actAs, silence } from '../clock/life.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import { copyAtWork } from '../lambda/platform.ts';
import type { Faults } from './faults.ts';
import type { History, Post } from './history.ts';

/** How a receiver answers for a while. */
export type Mood =
  | { readonly is: 'ok' | 'slow' | 'hang' | 'refused' | 'postponed' | 'flapping' }
  | { readonly is: 'status'; readonly status: number; readonly retryAfterSeconds?: number };

/** Somebody who has subscribed: how they answer, and what they do with a request to confirm. */
export interface Person {
  readonly protocol: 'http' | 'email';
  readonly address: string;
  /** Moods one after the other, each until its time (epoch milliseconds); the last has no end. */
  readonly moods: readonly { readonly until: number; readonly mood: Mood }[];
  /** How often an answer of theirs gets lost on its way while faults are about. */
  readonly lostAnswers: number;
  readonly confirms: 'inside' | 'later' | 'twice' | 'never';
}

export interface ReceiverTools {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly history: History;
  readonly faults: Faults;
  readonly timeoutMs: number;
  readonly personAt: (address: string) => Person | undefined;
  readonly confirm: (token: string) => Promise<void>;
  readonly trace: (what: string) => void;
}

const failure = (protocol: Person['protocol'], status: number): Outcome =>
  protocol === 'http' ? { class: 'http', status } : { class: 'email' };

/** The receivers, as a sender meets them. */
export function receiversOf(tools: ReceiverTools): Sender {
  const { clock, chance, history, faults, timeoutMs, personAt, trace } = tools;

  const moodOf = ({ moods }: Person): Mood =>
    (moods.find(({ until }) => clock.now() < until) ?? moods.at(-1))?.mood ?? { is: 'ok' };

  /** How long the receiver takes, and how it answers. */
  function answerOf(person: Person): { tookMs: number; outcome: Outcome } {
    const mood = moodOf(person);
    const quick = chance.int(1, 80);
    const { protocol } = person;
    if (mood.is === 'status') {
      const { status, retryAfterSeconds } = mood;
      const outcome = failure(protocol, status);
      return { tookMs: quick, outcome: retryAfterSeconds === undefined ? outcome : { ...outcome, retryAfterSeconds } };
    }
    if (mood.is === 'postponed')
      return { tookMs: quick, outcome: { class: 'email', isPostponed: true, retryAfterSeconds: 60 } };
    if (mood.is === 'hang') return { tookMs: timeoutMs, outcome: { class: 'timeout' } };
    if (mood.is === 'refused') return { tookMs: quick, outcome: { class: 'connect' } };
    if (mood.is === 'flapping' && chance.happens(0.5)) return { tookMs: quick, outcome: failure(protocol, 500) };
    const tookMs = mood.is === 'slow' ? chance.int(500, timeoutMs - 1) : quick;
    return { tookMs, outcome: { class: 'delivered', ...(protocol === 'http' ? { status: 200 } : {}) } };
  }

  /** What they do with a request to confirm. */
  async function heed({ confirms }: Person, token: string): Promise<void> {
    if (confirms === 'never') return;
    const confirm = () => actAs(undefined, () => tools.confirm(token));
    if (confirms === 'inside') return confirm();
    actAs(undefined, () => {
      clock.after(chance.int(1000, 120_000), () => void confirm());
      if (confirms === 'twice') clock.after(chance.int(1000, 240_000), () => void confirm());
    });
  }

  return {
    async deliver({ messageId, type, body, confirmation }, { uuid, address }) {
      const copy = copyAtWork();
      const kind = faults.strikePost();
      await clock.sleep(chance.int(1, 30));
      if (kind === 'crash before') return faults.die();
      const person = personAt(address);
      if (person === undefined) throw new Error('nobody lives there');
      const { tookMs, outcome } = answerOf(person);
      const isAccepted = outcome.class === 'delivered';
      const isLost = isAccepted && faults.isOn() && chance.happens(person.lostAnswers);
      const about = { messageId, uuid, type, body: body.toString('latin1'), at: clock.now() };
      const post: Post = {
        ...about,
        run: history.runOf(copy),
        isAccepted,
        outcome: undefined,
        endedAt: undefined,
      };
      history.posts.push(post);
      trace(
        `POST ${type === 'Notification' ? messageId : 'confirmation'} to ${uuid}: ${isLost ? 'lost ' : ''}${outcome.class}`,
      );
      // Who confirms before they answer may take longer than we wait.
      if (isAccepted && confirmation !== undefined)
        await Promise.race([heed(person, confirmation.token), clock.sleep(timeoutMs)]);
      const restMs = Math.max(0, timeoutMs - (clock.now() - about.at));
      const answered: Outcome = isLost ? { class: chance.pick(['timeout', 'connect'] as const) } : outcome;
      const heard: Outcome = tookMs > restMs ? { class: 'timeout' } : answered;
      await clock.sleep(heard.class === 'timeout' ? restMs : tookMs);
      if (kind === 'crash after') return faults.die();
      if (copy?.isOver) return silence;
      post.outcome = heard;
      post.endedAt = clock.now();
      return heard;
    },
  };
}
