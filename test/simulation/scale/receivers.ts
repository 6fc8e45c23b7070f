import type { Sender } from '../../../shared/delivery/delivery-context.ts';
import type { Outcome } from '../../../shared/domain/deliveries/outcome.ts';
import { runAs } from '../clock/actor.ts';
import type { Chance } from '../clock/chance.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import { hashOf } from '../dynamodb/hash.ts';
import { currentInstance } from '../lambda/platform.ts';
import type { Bill } from './bill.ts';
import type { Compute } from './compute.ts';
import { cpuMs, deliveryHeadBytes } from './costs.ts';
import type { ReceiverMix } from './options.ts';

export type Kind = 'healthy' | 'hang' | 'down';

export const addressOf = (number: number): string => `https://r${number}.example/notify`;
export const mailboxOf = (number: number): string => `subscriber-${number}@example.org`;
const numberOf = (address: string): number => Number(/(\d+)[.@]/.exec(address)?.[1]);

const steps = 2 ** 32;
// With a sigma of 0.6, the slowest 1 % of responses take at least four times the median.
const latencySpread = 0.6;

/**
 * For each receiver, how many times a message was received, and when it was first received (epoch milliseconds). Both
 * arrays are indexed by the number of the receiver.
 */
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
  readonly count: number;
  readonly timeoutMs: number;
}

/** Returns a normally distributed random number (Box-Muller). */
export const normal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next());

/** All simulated receivers, with a record of the messages that they received. */
export class Receivers {
  readonly received = new Map<string, Received>();
  readonly #options: ReceiversOptions;
  readonly #failed = new Set<string>();

  constructor(options: ReceiversOptions) {
    this.#options = options;
  }

  kindOf(number: number): Kind {
    const { hang, down } = this.#options.mix;
    const place = hashOf(`receiver ${number}`) / steps;
    if (place < hang) return 'hang';
    return place < hang + down ? 'down' : 'healthy';
  }

  /** Returns whether the first attempt to deliver a message to a receiver fails. Returns false for later attempts. */
  #failsOnce(messageId: string, number: number): boolean {
    const name = `${messageId} ${number}`;
    if (hashOf(name) / steps >= this.#options.mix.once || this.#failed.has(name)) return false;
    this.#failed.add(name);
    return true;
  }

  #record(messageId: string, number: number): void {
    const { count, clock } = this.#options;
    const entry = this.received.get(messageId) ?? { times: new Uint8Array(count), firstAt: new Float64Array(count) };
    this.received.set(messageId, entry);
    entry.times[number] = Math.min(255, (entry.times[number] ?? 0) + 1);
    entry.firstAt[number] ||= clock.now();
  }

  /** Replaces the HTTP sender, including its use of CPU time. */
  readonly sender: Sender = {
    deliver: (message, { address }, progress) => {
      const { bill, clock, compute, chance, mix, timeoutMs } = this.#options;
      const number = numberOf(address);
      const kind = this.kindOf(number);
      const fails = kind === 'healthy' && this.#failsOnce(message.messageId, number);
      bill.request('data out GB', (message.body.length + deliveryHeadBytes) / 2 ** 30);
      const instance = currentInstance();
      const connectedMs = compute.delayOf(cpuMs.delivery + cpuMs.signature);
      const respondsMs = connectedMs + mix.p50Ms * Math.exp(latencySpread * normal(chance));
      const isInTime = kind !== 'hang' && respondsMs < timeoutMs;
      const afterMs = Math.ceil(kind === 'hang' ? timeoutMs : Math.min(respondsMs, timeoutMs));
      progress?.onConnecting();
      clock.after(Math.ceil(connectedMs), () => void (instance?.isOver || progress?.onBegun()));
      return new Promise<Outcome>((resolve) => {
        // The receiver receives the message even if the sending function has ended.
        runAs(undefined, () =>
          clock.after(afterMs, () => {
            if (kind === 'healthy' && !fails) this.#record(message.messageId, number);
            if (!instance?.isOver) resolve(fails ? { class: 'http', status: 503 } : outcomeOf(kind, isInTime));
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
