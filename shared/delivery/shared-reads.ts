/**
 * Combines calls made in the same turn of the event loop into one call of `run`. Every caller gets the whole result. If
 * the call fails, each caller retries alone, so `run` must be safe to repeat.
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

const mostBytes = 32 * 1024 * 1024;

type Read = (bodyKey: string) => Promise<string | undefined>;

/** Caches the bodies of long messages between invocations, at most 32 MB. Missing ones are not cached. */
export function bodyCache(read: Read, most = mostBytes): Read {
  const kept = new Map<string, Promise<string | undefined>>();
  const sizes = new Map<string, number>();
  let bytes = 0;

  function forget(bodyKey: string): void {
    bytes -= sizes.get(bodyKey) ?? 0;
    sizes.delete(bodyKey);
    kept.delete(bodyKey);
  }

  async function readOnce(bodyKey: string): Promise<string | undefined> {
    try {
      const body = await read(bodyKey);
      if (body === undefined) forget(bodyKey);
      else {
        sizes.set(bodyKey, body.length);
        bytes += body.length;
      }
      for (const oldest of [...sizes.keys()]) if (bytes > most && oldest !== bodyKey) forget(oldest);
      return body;
    } catch (error) {
      forget(bodyKey);
      throw error;
    }
  }

  return (bodyKey) => {
    const reading = kept.get(bodyKey) ?? readOnce(bodyKey);
    // Moves the body to the end, so that it is evicted last.
    kept.delete(bodyKey);
    kept.set(bodyKey, reading);
    const size = sizes.get(bodyKey);
    if (size !== undefined) {
      sizes.delete(bodyKey);
      sizes.set(bodyKey, size);
    }
    return reading;
  };
}
