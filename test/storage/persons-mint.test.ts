import { beforeAll, describe, expect, it } from 'vitest';
import { claimUin } from '../../shared/domain/claim-uin.ts';
import { edges } from '../../shared/lambda/edges.ts';
import { persons } from '../../shared/storage/persons.ts';
import { useDynamodb } from '../support/embedded.ts';
import { seededBytes } from '../support/random.ts';

const dynamodb = useDynamodb();
const { randomBytes } = edges;
const ada = { firstName: 'Ada' };
let mint: ReturnType<typeof persons.permissions.mint>;
let read: ReturnType<typeof persons.permissions.read>;
beforeAll(async () => {
  const table = await dynamodb.createTable('persons');
  mint = persons.permissions.mint(dynamodb.client, table);
  read = persons.permissions.read(dynamodb.client, table);
});

describe('minting', () => {
  it('gives 10,000 numbers at once to 10,000 people, all distinct', async () => {
    // Eight digits, the fewest that a deployment may choose: some draws do collide.
    const everybody = Array.from({ length: 10_000 }, (_, index) =>
      claimUin(8, randomBytes, (uin) => mint.put(uin, { firstName: `Ada ${index}` })),
    );
    const uins = await Promise.all(everybody);
    expect(new Set(uins).size).toBe(10_000);
    for (const index of [0, 4711, 9999]) {
      expect(await read.get(uins[index] ?? '', ['firstName'])).toMatchObject({ firstName: `Ada ${index}` });
    }
  }, 120_000);

  it.each([
    ['without a key', (uin: string) => mint.put(uin, ada)],
    ['with a key', (uin: string) => mint.putOnce(uin, ada, { hash: 'h', expiresAt: 2_000_000_000 }, 1_900_000_000)],
  ])('%s draws again when the random source repeats itself', async (_name, put) => {
    const taken = await claimUin(12, randomBytes, (uin) => mint.put(uin, { firstName: 'Eve' }));
    // Bytes under 250 are digits: the source plays the taken number first, then comes to its senses.
    const played = Uint8Array.from({ length: 32 }, (_, index) => Number(taken[index] ?? 0));
    let draws = 0;
    const source = (count: number) => (draws++ === 0 ? played : randomBytes(count));
    const tried: string[] = [];
    const uin = await claimUin(12, source, (number) => {
      tried.push(number);
      return put(number);
    });
    expect(tried).toEqual([taken, uin]);
    expect(await read.get(uin, ['firstName'])).toMatchObject(ada);
    expect(await read.get(taken, ['firstName'])).toMatchObject({ firstName: 'Eve' });
  });

  it('gives up, as our own fault, when the source gives nothing but taken numbers', async () => {
    const same = () => seededBytes(5)(32);
    await claimUin(12, same, (uin) => mint.put(uin, ada));
    await expect(claimUin(12, same, (uin) => mint.put(uin, ada))).rejects.toThrow('no free number in 10 draws');
  });
});
