import { Heap } from '../clock/heap.ts';
import { Line } from './fair-queue.ts';
import type { Kept, QueueAttributes, QueueFacts } from './queue-facts.ts';

const inFlightLimit = 120_000;
const reorderedAtOnce = 100;

/** A standard queue of SQS: delays, visibility, receive counts, redrive, retention, fairness between message groups. */
export class Queue {
  private readonly facts: QueueFacts;
  private readonly line = new Line<Kept>();
  private readonly hidden = new Heap<{ at: number; order: number; message: Kept }>();
  private readonly byReceipt = new Map<string, Kept>();
  private order = 0;
  delayed = 0;
  inFlight = 0;
  /** Hears that something is, or will be, shown earlier than was known. */
  onChange: () => void = () => {};

  constructor(facts: QueueFacts) {
    this.facts = facts;
  }

  get name(): string {
    return this.facts.name;
  }

  get attributes(): QueueAttributes {
    return this.facts.attributes;
  }

  get ready(): number {
    this.settle();
    return this.line.size;
  }

  /** When the queue next shows a message; undefined when it is empty. */
  nextShowAt(): number | undefined {
    this.settle();
    return this.line.size > 0 ? this.facts.now() : this.hidden.peek()?.at;
  }

  send(body: string, group: string, delayMs: number): Kept {
    const now = this.facts.now();
    const bytes = Buffer.byteLength(body);
    const id = this.facts.newId();
    const rest = {
      body,
      group,
      bytes,
      sentAt: now,
      receives: 0,
      firstReceivedAt: 0,
      receipt: '',
      showAt: now + delayMs,
    };
    const message: Kept = { id, ...rest, state: 'ready', isRepeated: false };
    if (delayMs > 0) this.hide(message, 'delayed');
    else this.show(message);
    return message;
  }

  /** Takes in a message that another queue has put aside: with its age. */
  adopt(message: Kept): void {
    this.show({ ...message, receives: 0, receipt: '', showAt: this.facts.now() });
  }

  receive(most: number, visibilityMs: number): Kept[] | 'overLimit' {
    this.settle();
    if (this.inFlight >= inFlightLimit) return 'overLimit';
    this.reorder();
    const received: Kept[] = [];
    while (received.length < most) {
      const message = this.line.shift();
      if (message === undefined) break;
      if (!this.isToShow(message)) continue;
      if (!message.isRepeated) this.repeat(message);
      message.receives += 1;
      message.firstReceivedAt ||= this.facts.now();
      this.byReceipt.delete(message.receipt);
      message.receipt = `${message.id}#${this.order++}`;
      this.byReceipt.set(message.receipt, message);
      message.showAt = this.facts.now() + visibilityMs;
      this.hide(message, 'inFlight');
      received.push(message);
    }
    return received;
  }

  /** The queue refuses an entry of a batch just now, for reasons of its own. */
  isRefusing(): boolean {
    return this.facts.whims.refuses?.(this) ?? false;
  }

  /** Deletes by the newest receipt; with an older one nothing happens. False when there was never such a receipt. */
  delete(receipt: string): boolean {
    const message = this.byReceipt.get(receipt);
    if (message === undefined) return receipt.includes('#');
    this.byReceipt.delete(receipt);
    this.forget(message);
    return true;
  }

  /** Shows a message that is being worked on so much later; false when it is not being worked on. */
  changeVisibility(receipt: string, visibilityMs: number): boolean {
    const message = this.byReceipt.get(receipt);
    if (message?.state !== 'inFlight') return false;
    this.inFlight -= 1;
    message.showAt = this.facts.now() + visibilityMs;
    this.hide(message, 'inFlight');
    return true;
  }

  purge(): void {
    for (const message of [...this.line.drain(), ...this.byReceipt.values()]) this.forget(message);
    for (let entry = this.hidden.pop(); entry !== undefined; entry = this.hidden.pop()) this.forget(entry.message);
    this.byReceipt.clear();
  }

  /** Everything in the queue, for those who look from outside. */
  messages(): Kept[] {
    this.settle();
    const ready = this.line.drain();
    const hidden: Kept[] = [];
    for (let entry = this.hidden.pop(); entry !== undefined; entry = this.hidden.pop()) {
      if (isStill(entry)) hidden.push(entry.message);
    }
    for (const message of ready) this.line.push(message);
    for (const message of hidden) this.hidden.push({ at: message.showAt, order: this.order++, message });
    return [...ready, ...hidden];
  }

  private isToShow(message: Kept): boolean {
    const { retentionMs, redrive } = this.facts.attributes;
    if (message.state === 'gone') return false;
    const isOld = message.sentAt + retentionMs <= this.facts.now();
    const isSpent = redrive !== undefined && message.receives >= redrive.maxReceiveCount;
    if (!isOld && !isSpent) return true;
    message.state = 'gone';
    this.byReceipt.delete(message.receipt);
    if (!isOld) redrive?.to.adopt(message);
    return false;
  }

  /** At least once: now and then a message is shown a second time, but not without end. */
  private repeat(message: Kept): void {
    const again = this.facts.whims.showsAgainAfter?.(this, message);
    if (again === undefined) return;
    message.isRepeated = true;
    this.hide({ ...message, showAt: this.facts.now() + again }, 'delayed');
  }

  private show(message: Kept): void {
    message.state = 'ready';
    this.line.push(message);
    this.onChange();
  }

  private hide(message: Kept, state: 'delayed' | 'inFlight'): void {
    message.state = state;
    this[state] += 1;
    this.hidden.push({ at: message.showAt, order: this.order++, message });
    this.onChange();
  }

  private forget(message: Kept): void {
    if (message.state === 'delayed' || message.state === 'inFlight') this[message.state] -= 1;
    message.state = 'gone';
  }

  /** What was hidden until now waits in line. */
  private settle(): void {
    const now = this.facts.now();
    for (let entry = this.hidden.peek(); entry !== undefined; entry = this.hidden.peek()) {
      if (isStill(entry) && entry.at > now) return;
      this.hidden.pop();
      if (!isStill(entry)) continue;
      const { message } = entry;
      this.forget(message);
      message.state = 'ready';
      this.line.push(message);
    }
  }

  private reorder(): void {
    const { order } = this.facts.whims;
    if (order === undefined || this.line.size === 0 || this.line.size > reorderedAtOnce) return;
    for (const message of order(this, this.line.drain())) this.line.push(message);
  }
}

/** The entry still says when its message is shown. */
const isStill = ({ at, message }: { at: number; message: Kept }): boolean =>
  message.showAt === at && (message.state === 'delayed' || message.state === 'inFlight');
