import { describe, expect, it } from 'vitest';
import { claimUin, type Minted } from '../../../shared/domain/persons/claim-uin.ts';
import { seededBytes } from '../../harness/random.ts';

/** Puts that end one after the other in these ways, and the numbers that were tried. */
function ending(...ways: Minted[]) {
  const tried: string[] = [];
  const put = async (uin: string): Promise<Minted> => ways[tried.push(uin) - 1] ?? { is: 'taken' };
  return { tried, put };
}

describe('claimUin', () => {
  it('answers the first number that is free', async () => {
    const { tried, put } = ending({ is: 'taken' }, { is: 'taken' }, { is: 'minted' });
    expect(await claimUin(12, seededBytes(1), put)).toBe(tried[2]);
    expect(new Set(tried).size).toBe(3);
  });

  it('answers the number of the first time to a repeat, and tries no other', async () => {
    const { tried, put } = ending({ is: 'replayed', uin: '17' });
    expect(await claimUin(12, seededBytes(1), put)).toBe('17');
    expect(tried).toHaveLength(1);
  });

  it('ends when every number is taken, and with the fault of a put that fails', async () => {
    const { tried, put } = ending();
    await expect(claimUin(8, seededBytes(1), put)).rejects.toThrow(/noFreeNumber: .*draws 10/);
    expect(tried).toHaveLength(10);
    const failing = () => Promise.reject(new Error('no table'));
    await expect(claimUin(8, seededBytes(1), failing)).rejects.toThrow('no table');
  });
});
