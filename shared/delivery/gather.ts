/**
 * Gathers the calls that are made within `waitMs` into one of `run`, which costs one request instead of many: the tasks
 * of a batch read their subscriptions, and send on what failed, at about the same time. Every caller gets the whole
 * answer, or the fault.
 */
export function gather<Item, Answer>(
  waitMs: number,
  run: (items: readonly Item[]) => Promise<Answer>,
): (items: readonly Item[]) => Promise<Answer> {
  let gathered: Item[] = [];
  let running: Promise<Answer> | undefined;
  return (items) => {
    gathered.push(...items);
    running ??= new Promise((resolve) => {
      setTimeout(() => {
        const all = gathered;
        [gathered, running] = [[], undefined];
        resolve(run(all));
      }, waitMs);
    });
    return running;
  };
}
