/** Returns a fixed seed, so that results depend only on the code under test. The environment variable overrides it. */
export const seedOf = (variable: string): number => Number(process.env[variable] ?? 1);

/** Creates a source of random digits that uses a seed. */
export function seededDigits(seed: number): () => number {
  const bytes = seededBytes(seed);
  return () => Math.floor(((bytes(1)[0] ?? 0) * 256 + (bytes(1)[0] ?? 0)) / 6553.6);
}

/** Creates a source of random bytes that uses a seed and the Mulberry32 generator. */
export function seededBytes(seed: number): (count: number) => Uint8Array {
  let state = seed >>> 0;
  const nextByte = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) & 0xff;
  };
  return (count) => Uint8Array.from({ length: count }, nextByte);
}
