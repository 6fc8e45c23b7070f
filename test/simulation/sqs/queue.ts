import { Heap } from '../clock/heap.ts';
import { FairQueue } from './fair-queue.ts';
import type { QueueAttributes, QueueFacts, StoredMessage } from './queue-facts.ts';

const inFlightLimit = 120_000;
const maxReordered = 100;

/** A standard SQS queue with delays, visibility timeouts, receive counts, redrive, retention and message groups. */
export class Queue {
  private readonly facts: QueueFacts;
  private readonly line = new FairQueue<StoredMessage>();
  private readonly hidden = new Heap<{ at: number; order: number; message: StoredMessage }>();
  private readonly byReceipt = new Map<string, StoredMessage>();
  private order = 0;
  delayed = 0;
  inFlight = 0;
  private held = 0;
  /** Called when the next message may become visible at a different time. */
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
    this.showDue();
    return this.line.size;
  }

  /** Returns the time at which the next message becomes visible, or undefined if the queue is empty. */
  nextShowAt(): number | undefined {
    this.showDue();
    return this.line.size > 0 ? this.facts.now() : this.hidden.peek()?.at;
  }

  send(body: string, group: string, delayMs: number): StoredMessage {
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
    const message: StoredMessage = { id, ...rest, state: 'ready', isRepeated: false };
    const lateMs = this.facts.quirks.arrivesLateBy?.(this, message, delayMs) ?? 0;
    message.showAt += lateMs;
    if (lateMs > 0) this.hide(message, 'held');
    else if (delayMs > 0) this.hide(message, 'delayed');
    else this.show(message);
    return message;
  }

  /** Accepts a message from another queue. The message keeps its original sending time. */
  adopt(message: StoredMessage): void {
    this.show({ ...message, receives: 0, receipt: '', showAt: this.facts.now() });
  }

  receive(max: number, visibilityMs: number): StoredMessage[] | 'overLimit' {
    this.showDue();
    if (this.inFlight >= inFlightLimit) return 'overLimit';
    this.reorder();
    const received: StoredMessage[] = [];
    while (received.length < max) {
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

  /** Returns whether the queue rejects the next batch entry. */
  isRejectingEntry(): boolean {
    return this.facts.quirks.rejectsEntry?.(this) ?? false;
  }

  /** Deletes a message by its newest receipt. An older receipt has no effect. */
  delete(receipt: string): void {
    const message = this.byReceipt.get(receipt);
    if (message === undefined) return;
    this.byReceipt.delete(receipt);
    this.forget(message);
  }

  purge(): void {
    for (const message of [...this.line.drain(), ...this.byReceipt.values()]) this.forget(message);
    for (let entry = this.hidden.pop(); entry !== undefined; entry = this.hidden.pop()) this.forget(entry.message);
    this.byReceipt.clear();
  }

  /** Returns all messages, for tests. */
  messages(): StoredMessage[] {
    this.showDue();
    const ready = this.line.drain();
    const hidden: StoredMessage[] = [];
    for (let entry = this.hidden.pop(); entry !== undefined; entry = this.hidden.pop()) {
      if (isStill(entry)) hidden.push(entry.message);
    }
    for (const message of ready) this.line.push(message);
    for (const message of hidden) this.hidden.push({ at: message.showAt, order: this.order++, message });
    return [...ready, ...hidden];
  }

  private isToShow(message: StoredMessage): boolean {
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

  /** Duplicates a message if the simulated irregularities require it. A message is duplicated at most once. */
  private repeat(message: StoredMessage): void {
    const again = this.facts.quirks.showsAgainAfter?.(this, message);
    if (again === undefined) return;
    message.isRepeated = true;
    this.hide({ ...message, showAt: this.facts.now() + again }, 'held');
  }

  private show(message: StoredMessage): void {
    message.state = 'ready';
    this.line.push(message);
    this.onChange();
  }

  private hide(message: StoredMessage, state: 'delayed' | 'inFlight' | 'held'): void {
    message.state = state;
    this[state] += 1;
    this.hidden.push({ at: message.showAt, order: this.order++, message });
    this.onChange();
  }

  private forget(message: StoredMessage): void {
    if (isHidden(message)) this[message.state as 'held'] -= 1;
    message.state = 'gone';
  }

  /** Marks messages as ready after their delay or visibility timeout has ended. */
  private showDue(): void {
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
    const { order } = this.facts.quirks;
    if (order === undefined || this.line.size === 0 || this.line.size > maxReordered) return;
    for (const message of order(this, this.line.drain())) this.line.push(message);
  }
}

/** Returns whether an entry still describes the current state of its message. */
const isStill = ({ at, message }: { at: number; message: StoredMessage }): boolean =>
  message.showAt === at && isHidden(message);

const isHidden = ({ state }: StoredMessage): boolean => state === 'delayed' || state === 'inFlight' || state === 'held';
