const mostBytes = 32 * 1024 * 1024;

type Read = (bodyKey: string) => Promise<string | undefined>;

/**
 * Keeps bodies of long messages between invocations, the last used ones up to 32 MB: a copy reads each once. What could not be
 * read, or was not there, is asked for again.
 */
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
    // The last used one is the last to go.
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
