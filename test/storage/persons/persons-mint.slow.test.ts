import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { mintUin } from '../../../shared/domain/persons/mint-uin.ts';
import { ambient } from '../../../shared/lambda/ambient.ts';
import { persons } from '../../../shared/storage/persons/store.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
const { randomDigit } = ambient;
const ada = { firstName: 'Ada' };
const now = 1_900_000_000;
const uinHash = 'hash';
const record = { hash: 'h', expiresAt: 2_000_000_000 };
let mint: ReturnType<typeof persons.permissions.mint>;
let read: ReturnType<typeof persons.permissions.read>;
let table: string;
beforeAll(async () => {
  table = await dynamodb.createTable('persons');
  mint = persons.permissions.mint(dynamodb.client, table);
  read = persons.permissions.read(dynamodb.client, table);
});

const openClient = (): DynamoDBClient => {
  const { endpoint, credentials } = dynamodb.client.config;
  // In this test, thousands of requests wait for a socket.
  const requestHandler = { socketAcquisitionWarningTimeout: 600_000 };
  return new DynamoDBClient({ ...(endpoint && { endpoint }), credentials, region: 'us-east-1', requestHandler });
};

/** Returns a client that loses the first response, so that the SDK retries a successful write. */
function losingItsFirstAnswer() {
  const client = openClient();
  let responses = 0;
  let lost = 0;
  client.middlewareStack.add(
    (next) => async (request) => {
      const response = await next(request);
      if (responses++ > 0) return response;
      lost += 1;
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
    },
    { step: 'deserialize', priority: 'high' },
  );
  return { client, lost: () => lost };
}

describe('minting', () => {
  it('10,000 concurrent calls mint 10,000 distinct UINs', async () => {
    // The UINs have only eight digits, so some of the random UINs are already taken.
    const client = openClient();
    const { put } = persons.permissions.mint(client, table);
    const everybody = Array.from({ length: 10_000 }, (_, index) =>
      mintUin(8, randomDigit, (uin) => put(uin, { firstName: `Ada ${index}` }, { uinHash, now })),
    );
    const uins = await Promise.all(everybody);
    client.destroy();
    expect(new Set(uins).size).toBe(10_000);
    for (const index of [0, 4711, 9999]) {
      expect(await read.get(uins[index] ?? '', ['firstName'])).toMatchObject({ firstName: `Ada ${index}` });
    }
  });

  it.each([
    ['without an idempotency key', (lossy: typeof mint) => (uin: string) => lossy.put(uin, ada, { uinHash, now })],
    ['with an idempotency key', (lossy: typeof mint) => (uin: string) => lossy.put(uin, ada, { uinHash, now, record })],
  ])('mintUin registers a person once if the response is lost and the client retries (%s)', async (_name, putBy) => {
    const { client, lost } = losingItsFirstAnswer();
    const own = await dynamodb.createTable('persons');
    const uin = await mintUin(12, randomDigit, putBy(persons.permissions.mint(client, own)));
    const people = (await dynamodb.rowsOf(own)).filter(({ id }) => String(id).startsWith('person#'));
    expect(people.map((row) => row.uin)).toEqual([uin]);
    expect(lost()).toBe(1);
    client.destroy();
  });
});
