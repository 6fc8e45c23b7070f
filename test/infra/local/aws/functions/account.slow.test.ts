import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { reservedCopies } from '../../../../../shared/contract/concurrency.ts';
import { generateUin, readPerson } from '../../../../../shared/contract/endpoints/persons-endpoints.ts';
import { listTopics } from '../../../../../shared/contract/endpoints/topics-endpoints.ts';
import { openSeparateWorld } from '../../../../harness/separate-stack.ts';
import { allScopes } from '../../../../harness/world.ts';

// The lowest concurrency limit of an account for which Lambda allows reserved concurrency.
const concurrency = 112;
const reserved = reservedCopies(concurrency) ?? 0;
const settings = { production: 'true', concurrency: String(concurrency) };
const { stack, world } = await openSeparateWorld(settings, {}, concurrency);

// The authorizer caches its response for each token, so each request needs a new token.
const newToken = () => stack.issueToken({ scope: allScopes.join(' '), jti: randomUUID() });
const mint = async () => world.call(generateUin, { body: { firstName: 'Ana' }, token: await newToken() });
const list = () => world.call(listTopics);
const together = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

test('generateUin works even if all functions without reserved concurrency are throttled', async () => {
  expect(reserved).toBe(6);
  const { json: uin } = await mint();
  const read = () => world.call(readPerson, { path: { uin }, query: { attributeNames: 'firstName' } });
  expect((await read()).status).toBe(200);
  expect((await list()).status).toBe(200);

  const held = Promise.withResolvers<void>();
  stack.onAwsCall(({ functionName }) => (functionName === 'readPerson' ? held.promise : undefined));
  onTestFinished(() => held.resolve());
  const reading = together(concurrency - 2 * reserved, read);
  await expect.poll(async () => (await list()).status).toBe(500);

  const minted = [...(await together(reserved, mint)), ...(await together(reserved, mint))];
  expect(minted.map(({ status }) => status)).toEqual(Array(2 * reserved).fill(200));
  expect((await list()).status).toBe(500);

  held.resolve();
  await reading;
  await expect.poll(async () => (await list()).status).toBe(200);
});
