import { expect, it } from 'vitest';
import { bodyCache } from '../../shared/delivery/delivery-context.ts';

/** Returns an 80-byte cache for bodies of 40 bytes, and the list of body keys that the cache has read. */
function cached(respond: (bodyKey: string) => string | undefined = () => 'x'.repeat(40)) {
  const reads: string[] = [];
  const read = bodyCache(async (bodyKey) => {
    reads.push(bodyKey);
    return respond(bodyKey);
  }, 80);
  return { reads, read };
}

it('the body cache reads a body only once for concurrent and later callers', async () => {
  const { reads, read } = cached();
  await Promise.all([read('a'), read('a'), read('a')]);
  await read('a');
  expect(reads).toEqual(['a']);
});

it('the body cache keeps as many of the most recently used bodies as fit', async () => {
  const { reads, read } = cached();
  for (const bodyKey of ['a', 'b', 'a', 'c', 'a', 'b']) await read(bodyKey);
  expect(reads).toEqual(['a', 'b', 'c', 'b']);
});

it('the body cache returns a body that is larger than the cache', async () => {
  const { read } = cached(() => 'y'.repeat(500));
  expect(await read('large')).toHaveLength(500);
  expect(await read('other')).toHaveLength(500);
});

it('the body cache repeats a read that failed or found nothing', async () => {
  let tries = 0;
  const { reads, read } = cached(() => {
    tries += 1;
    if (tries === 1) throw new Error('slow down');
    return tries === 2 ? undefined : 'body';
  });
  await expect(read('a')).rejects.toThrow('slow down');
  expect(await read('a')).toBeUndefined();
  expect(await read('a')).toBe('body');
  expect(reads).toEqual(['a', 'a', 'a']);
});
