import type { Sender } from '../../../shared/delivery/engine/sender.ts';
import type { Outcome } from '../../../shared/model/deliveries/outcome.ts';
import type { Chance } from '../clock/chance.ts';
import { actAs } from '../clock/life.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import { hashOf } from '../dynamodb/hash.ts';
import { copyAtWork } from '../lambda/platform.ts';
import type { Bill } from './bill.ts';
import type { Compute } from './compute.ts';
import { cpuMs, deliveryHeadBytes } from './costs.ts';
import type { ReceiverMix } from './options.ts';

export type Kind = 'healthy' | 'hang' | 'down';

/** The address of a receiver, by its number. */
export const addressOf = (number: number): string => `https://r${number}.example/notify`;
export const mailboxOf = (number: number): string => `subscriber-${number}@example.org`;
const numberOf = (address: string): number => Number(/(\d+)[.@]/.exec(address)?.[1]);

const steps = 2 ** 32;
// Half of them take longer than the median, one in a hundred four times as long.
const latencySpread = 0.6;

/** What receivers got of one message: how often each, and when first (epoch milliseconds). */
export interface Received {
  readonly times: Uint8Array;
  readonly firstAt: Float64Array;
}

interface ReceiversOptions {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly compute: Compute;
  readonly bill: Bill;
  readonly mix: ReceiverMix;
  /** How many subscribers there are in all. */
  readonly count: number;
  readonly timeoutMs: number;
}

/** A normally distributed number (Box and Muller). */
export const normal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next());

/** The receivers of all messages: whoever they are, they keep what they get. */
export class Receivers {
  readonly received = new Map<string, Received>();
  readonly #options: ReceiversOptions;
  readonly #refused = new Set<string>();
  posts = 0;

  constructor(options: ReceiversOptions) {
    this.#options = options;
  }

  kindOf(number: number): Kind {
    const { hang, down } = this.#options.mix;
    const place = hashOf(`receiver ${number}`) / steps;
    if (place < hang) return 'hang';
    return place < hang + down ? 'down' : 'healthy';
  }

  /** Whether this receiver refuses this message now, which it does once. */
  #refuses(messageId: string, number: number): boolean {
    const name = `${messageId} ${number}`;
    if (hashOf(name) / steps >= this.#options.mix.once || this.#refused.has(name)) return false;
    this.#refused.add(name);
    return true;
  }

  #keep(messageId: string, number: number): void {
    const { count, clock } = this.#options;
    const kept = this.received.get(messageId) ?? { times: new Uint8Array(count), firstAt: new Float64Array(count) };
    this.received.set(messageId, kept);
    kept.times[number] = Math.min(255, (kept.times[number] ?? 0) + 1);
    kept.firstAt[number] ||= clock.now();
  }

  mailed(messageId: string, address: string): void {
    this.#keep(messageId, numberOf(address));
  }

  /** Sends as the http sender does, as far as anybody can tell: the work is charged, not done. */
  readonly sender: Sender = {
    deliver: (message, { address }, progress) => {
      const { bill, clock, compute, chance, mix, timeoutMs } = this.#options;
      const number = numberOf(address);
      const kind = this.kindOf(number);
      const refuses = kind === 'healthy' && this.#refuses(message.messageId, number);
      this.posts += 1;
      bill.request('data out GB', (message.body.length + deliveryHeadBytes) / 2 ** 30);
      const copy = copyAtWork();
      const connectedMs = compute.delayOf(cpuMs.delivery + cpuMs.signature);
      const answersMs = connectedMs + mix.p50Ms * Math.exp(latencySpread * normal(chance));
      const isInTime = kind !== 'hang' && answersMs < timeoutMs;
      const afterMs = Math.ceil(kind === 'hang' ? timeoutMs : Math.min(answersMs, timeoutMs));
      progress?.onConnecting();
      clock.after(Math.ceil(connectedMs), () => void (copy?.isOver || progress?.onBegun()));
      return new Promise<Outcome>((resolve) => {
        // The receiver has what was sent, also where the function that sent it is no more.
        actAs(undefined, () =>
          clock.after(afterMs, () => {
            if (kind === 'healthy' && !refuses) this.#keep(message.messageId, number);
            if (!copy?.isOver) resolve(refuses ? { class: 'http', status: 503 } : outcomeOf(kind, isInTime));
          }),
        );
      });
    },
  };
}

function outcomeOf(kind: Kind, isInTime: boolean): Outcome {
  if (kind === 'down') return { class: 'connect' };
  return isInTime ? { class: 'delivered', status: 200 } : { class: 'timeout' };
}
