import { describe, expect, it } from 'vitest';
import { bodyCache } from '../../shared/delivery/shared-reads.ts';

/** A cache of 100 bytes over bodies of 40 bytes each; `asked` is what it had to read. */
function cached(answer: (bodyKey: string) => string | undefined = () => 'x'.repeat(40)) {
  const asked: string[] = [];
  const read = bodyCache(async (bodyKey) => {
    asked.push(bodyKey);
    return answer(bodyKey);
  }, 100);
  return { asked, read };
}

describe('the cache of bodies', () => {
  it('reads a body once, however many ask at once or later', async () => {
    const { asked, read } = cached();
    await Promise.all([read('a'), read('a'), read('a')]);
    await read('a');
    expect(asked).toEqual(['a']);
  });

  it('keeps the last used ones, as many as its bytes hold', async () => {
    const { asked, read } = cached();
    for (const bodyKey of ['a', 'b', 'a', 'c', 'a', 'b']) await read(bodyKey);
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
  });

  it('gives a body that is larger than the whole of it', async () => {
    const { read } = cached(() => 'y'.repeat(500));
    expect(await read('large')).toHaveLength(500);
    expect(await read('other')).toHaveLength(500);
  });

  it('asks again for what was not there, or could not be read', async () => {
    let tries = 0;
    const { asked, read } = cached(() => {
      tries += 1;
      if (tries === 1) throw new Error('slow down');
      return tries === 2 ? undefined : 'body';
    });
    await expect(read('a')).rejects.toThrow('slow down');
    expect(await read('a')).toBeUndefined();
    expect(await read('a')).toBe('body');
    expect(asked).toEqual(['a', 'a', 'a']);
  });
});
