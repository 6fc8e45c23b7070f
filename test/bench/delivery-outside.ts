import { setTimeout as sleep } from 'node:timers/promises';
import { publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { type Call, createCall } from '../harness/call.ts';
import { isSigned, type PublishedKeys } from '../harness/verify-delivery.ts';
import { openTopic, type Topic } from './delivery-topic.ts';
import { answerParent } from './process.ts';

// This process runs everything outside the stack: a publisher, and one receiver per topic.

export interface Load {
  readonly baseUrl: string;
  readonly token: string;
  readonly topics: number;
  /** The number of receivers that never respond. */
  readonly hanging: number;
  /** If true, the hanging receivers stop responding only after the warm-up. */
  readonly isSudden: boolean;
  readonly perSecond: number;
  readonly warmSeconds: number;
  readonly seconds: number;
}

/** The published events, counted by result. `hung` is the number of events that reached hanging receivers. */
export interface Arrivals {
  readonly published: number;
  readonly refused: number;
  readonly lost: number;
  readonly wrong: number;
  readonly duplicates: number;
  readonly hung: number;
  /** Milliseconds from the planned publication of an event until the receiver has the event's last byte. */
  readonly latencies: readonly number[];
}

interface Event {
  readonly topic: Topic;
  readonly body: string;
  readonly dueAt: number;
  messageId?: string;
}

const settleSeconds = 30;

/** Publishes at a steady rate without waiting for responses, and returns when all responses have arrived. */
async function publish(call: Call, topics: readonly Topic[], perSecond: number, seconds: number): Promise<Event[]> {
  const events: Event[] = [];
  const answers: Promise<void>[] = [];
  const begun = performance.now();
  for (let index = 0; index < perSecond * seconds; index++) {
    const dueAt = begun + (index * 1000) / perSecond;
    await sleep(Math.max(0, dueAt - performance.now()));
    const topic = topics[index % topics.length] as Topic;
    const body = JSON.stringify({ source: 'CR', uin: String(index).padStart(10, '0'), event: crypto.randomUUID() });
    const event: Event = { topic, body, dueAt };
    events.push(event);
    const answer = call(publishEvent, { path: { uuid: topic.uuid }, body }).then(({ json }) => {
      event.messageId = json.messageId;
    });
    answers.push(answer.catch(() => {}));
  }
  await Promise.all(answers);
  return events;
}

let topics: Topic[] = [];
let events: Event[] = [];

const isDelivered = ({ topic, messageId }: Event): boolean =>
  topic.isHanging || topic.arrivals.some(({ headers }) => headers['message-id'] === messageId);

/** Waits until the warm-up events have arrived, so that the measured events do not queue behind them. */
async function arrived(events: readonly Event[]): Promise<void> {
  const deadline = performance.now() + settleSeconds * 1000;
  while (performance.now() < deadline && !events.every(isDelivered)) await sleep(100);
}

/**
 * Creates topics, publishes warm-up events and waits for their arrival, then publishes during the measured seconds.
 * Returns when every publish request has received a response.
 */
async function run(load: Load): Promise<undefined> {
  const call = createCall(load.baseUrl, load.token);
  topics = await Promise.all(Array.from({ length: load.topics }, () => openTopic(call)));
  const hang = () => {
    for (const topic of topics.slice(0, load.hanging)) topic.isHanging = true;
  };
  if (!load.isSudden) hang();
  await arrived(await publish(call, topics, load.perSecond, load.warmSeconds));
  hang();
  events = await publish(call, topics, load.perSecond, load.seconds);
}

/** Evaluates the events that have arrived so far. */
async function collect({ baseUrl }: Load): Promise<Arrivals> {
  const keys = (await (await fetch(`${baseUrl}/v1/.well-known/jwks.json`)).json()) as PublishedKeys;
  const counts = { published: 0, refused: 0, lost: 0, wrong: 0, duplicates: 0, hung: 0 };
  const latencies: number[] = [];
  for (const topic of topics) {
    const byId = Map.groupBy(topic.arrivals, ({ headers }) => String(headers['message-id']));
    for (const { body, dueAt, messageId } of events.filter((event) => event.topic === topic)) {
      counts.published += 1;
      if (messageId === undefined) {
        counts.refused += 1;
        continue;
      }
      const [first, ...more] = byId.get(messageId) ?? [];
      if (topic.isHanging) counts.hung += first === undefined ? 0 : 1;
      else if (first === undefined) counts.lost += 1;
      else {
        const isRight = first.body.toString() === body && isSigned(first.headers, first.body, keys);
        counts.wrong += isRight ? 0 : 1;
        latencies.push(first.at - dueAt);
      }
      counts.duplicates += more.length;
    }
    topic.close();
  }
  return { ...counts, latencies };
}

export interface Question {
  readonly load: Load;
  /** Whether to evaluate the arrived events instead of publishing events. */
  readonly isOver: boolean;
}

answerParent(({ load, isOver }: Question): Promise<Arrivals | undefined> => (isOver ? collect(load) : run(load)));
