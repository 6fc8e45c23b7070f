/** A first-in, first-out queue whose operations take constant time on average. */
class Deque<Value> {
  private values: Value[] = [];
  private head = 0;

  get size(): number {
    return this.values.length - this.head;
  }

  push(value: Value): void {
    this.values.push(value);
  }

  shift(): Value | undefined {
    if (this.size === 0) return undefined;
    const value = this.values[this.head++];
    if (this.head > 1024 && this.head * 2 > this.values.length) {
      this.values = this.values.slice(this.head);
      this.head = 0;
    }
    return value;
  }
}

/**
 * The messages that are ready to be received. Message groups take turns, so a large group does not delay other groups.
 */
export class FairQueue<Value extends { readonly group: string }> {
  private readonly groups = new Map<string, Deque<Value>>();
  private readonly turns = new Deque<string>();
  size = 0;

  push(value: Value): void {
    const waiting = this.groups.get(value.group);
    if (waiting === undefined) {
      const first = new Deque<Value>();
      first.push(value);
      this.groups.set(value.group, first);
      this.turns.push(value.group);
    } else waiting.push(value);
    this.size += 1;
  }

  shift(): Value | undefined {
    const group = this.turns.shift();
    if (group === undefined) return undefined;
    const waiting = this.groups.get(group);
    const value = waiting?.shift();
    if (waiting !== undefined && waiting.size > 0) this.turns.push(group);
    else this.groups.delete(group);
    this.size -= 1;
    return value;
  }

  drain(): Value[] {
    const all: Value[] = [];
    for (let value = this.shift(); value !== undefined; value = this.shift()) all.push(value);
    return all;
  }
}
