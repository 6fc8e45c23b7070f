/**
 * Gathers the calls that are made in the same turn of the event loop into one of `run`, which costs one request instead of
 * many: the tasks of a batch begin by reading their subscriptions. Every caller gets the whole answer. Where it fails each
 * caller tries alone, since one's fault is not the others': `run` must be safe to repeat.
 */
export function coalesce<Item, Answer>(
  run: (items: readonly Item[]) => Promise<Answer>,
): (items: readonly Item[]) => Promise<Answer> {
  let open: { readonly calls: (readonly Item[])[]; readonly answer: Promise<Answer> } | undefined;
  const begin = () => {
    const calls: (readonly Item[])[] = [];
    const answer = new Promise<Answer>((resolve) => {
      setTimeout(() => {
        open = undefined;
        resolve(run(calls.flat()));
      }, 0);
    });
    return { calls, answer };
  };
  return async (items) => {
    open ??= begin();
    const { calls, answer } = open;
    calls.push(items);
    try {
      return await answer;
    } catch (error) {
      if (calls.length === 1) throw error;
      return run(items);
    }
  };
}
