import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Checkout, copyCheckout, type StartedStack, startStackIn } from '../../../harness/checkout.ts';

// These tests follow the steps of a developer, and each test continues where the previous test ended.

const list = 'functions/topics/list-topics.ts';
const contract = 'shared/contract/endpoints/topics-endpoints.ts';
const patience = { timeout: 240_000, interval: 100 };

let checkout: Checkout;
let stack: StartedStack;
let headers: Record<string, string>;
let written: string;

beforeAll(async () => {
  checkout = copyCheckout();
  written = checkout.read(list);
  checkout.save('infra/stages/own.ts', "export const settings = { callerClaim: 'azp', scopePrefix: 'registry' };\n");
  const given = ['--stage', 'own', '--set', 'uinLength=14', '--verbose'];
  stack = await startStackIn(checkout, '--watch', '--json', ...given);
  headers = { authorization: `Bearer ${await stack.token('notif.topic.write notif.topic.read')}` };
});
afterAll(() => {
  stack?.process.kill('SIGKILL');
  checkout.remove();
});

const topics = (path = '/v1/topics') => fetch(stack.outputs.baseUrl + path, { headers });
const names = async (path?: string) =>
  ((await (await topics(path)).json()) as { name: string }[]).map(({ name }) => name);
const news = () => stack.news();

test('a stage whose issuer is a placeholder runs with the local issuer and the given settings', async () => {
  const authorization = `Bearer ${await stack.token('uin.generate')}`;
  const reply = await fetch(`${stack.outputs.baseUrl}/v1/uin`, {
    method: 'POST',
    // A request can use an Idempotency-Key only if its token has a caller claim.
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': 'a-first-request' },
    body: '{"firstName":"Ada"}',
  });
  expect([reply.status, await reply.json()]).toEqual([200, expect.stringMatching(/^\d{14}$/)]);
});

test('npm start prints the address first, and then the features that --verbose lists as not emulated', async () => {
  const first = (words: string) => stack.lines.findIndex((line) => line.includes(words));
  await expect.poll(() => first('not emulated: ')).toBeGreaterThan(first('Console'));
});

test('saving a file reloads only the function that uses this file', async () => {
  await fetch(`${stack.outputs.baseUrl}/v1/topics?name=before`, { method: 'POST', headers });
  expect(await names()).toEqual(['before']);
  const begin = '({ query }, { topics }) =>';
  checkout.replace(list, begin, `${begin} { throw new RangeError('as saved');`);
  checkout.save(list, checkout.read(list).replace('query),', 'query); },'));
  await expect.poll(async () => (await topics()).status, patience).toBe(500);
  expect(news()).toEqual([expect.stringMatching(/^code: reloaded listTopics in \d+ ms$/)]);
});

test('errors in the log refer to positions in the source files', async () => {
  const fault = () => stack.lines.find((line) => line.includes('RangeError')) ?? '';
  await expect.poll(fault, patience).toContain('"function":"listTopics"');
  const thrower =
    checkout
      .read(list)
      .split('\n')
      .findIndex((line) => line.includes('throw new')) + 1;
  expect(fault()).toContain(`${list}:${thrower}:`);
});

test('a syntax error in a source file is reported in one line, and the previous code keeps running', async () => {
  const newsCount = news().length;
  checkout.save(list, `${written}\nconst = 1;\n`);
  const line = written.split('\n').length + 1;
  await expect
    .poll(() => news().slice(newsCount), patience)
    .toEqual([expect.stringMatching(new RegExp(`^code: ${list}:${line}:7 .*; the previous code keeps running$`))]);
  expect((await topics()).status).toBe(500);
});

test('after the next valid save, the stack runs the new code with its existing data', async () => {
  checkout.save(list, written);
  await expect.poll(async () => (await topics()).status, patience).toBe(200);
  expect(await names()).toEqual(['before']);
});

test('a change to the contract reloads the stack, which keeps its data, token and address', async () => {
  const original = checkout.read(contract);
  const [before, after = ''] = original.split("operation: 'listTopics'");
  checkout.save(contract, `${before}operation: 'listTopics'${after.replace("'/v1/topics'", "'/v1/subjects'")}`);
  await expect.poll(async () => (await topics('/v1/subjects')).status, patience).toBe(200);
  expect(await names('/v1/subjects')).toEqual(['before']);
  expect(news().at(-1)).toMatch(/^code: reloaded the stack in \d+ ms; its data is unchanged$/);
});

test('the stack serves a new endpoint, and adds it to the outputs, as soon as its function exists', async () => {
  const newsCount = news().length;
  const made = `export const nameTopics = defineEndpoint({
    ...listTopics, operation: 'nameTopics', path: '/v1/topic-names' });`;
  checkout.save(contract, `${checkout.read(contract)}\n${made}\n`);
  await expect
    .poll(() => news().slice(newsCount), patience)
    .toContainEqual(expect.stringMatching(/functions\/topics\/name-topics\.ts.*; the previous code keeps running$/));
  checkout.save('functions/topics/name-topics.ts', written.replaceAll('listTopics', 'nameTopics'));
  await expect.poll(async () => (await topics('/v1/topic-names')).status, patience).toBe(200);
  expect(await names('/v1/topic-names')).toEqual(['before']);
  const functions = () => JSON.parse(checkout.read('.local/outputs.json')).resources.functions;
  await expect.poll(functions, patience).toHaveProperty('nameTopics');
});

test('an invalid contract is reported in one line, and the previous stack keeps running', async () => {
  const good = checkout.read(contract);
  const newsCount = news().length;
  checkout.replace(contract, "from '../endpoint.ts'", "from '../end-point.ts'");
  await expect
    .poll(() => news().slice(newsCount), patience)
    .toEqual([expect.stringContaining('the previous code keeps running')]);
  expect(await names('/v1/subjects')).toEqual(['before']);
  checkout.save(contract, good);
  await expect.poll(() => news().at(-1), patience).toBe('code: all errors are fixed');
});

test('a signal stops all processes, and no files are left behind', async () => {
  expect(await stack.end('SIGINT')).toBe(0);
  expect(existsSync(join(checkout.folder, '.local/outputs.json'))).toBe(false);
  const { baseUrl, tokenUrl, dynamodbEndpoint } = stack.outputs;
  for (const url of [baseUrl, tokenUrl, dynamodbEndpoint]) await expect(fetch(url)).rejects.toThrow('fetch failed');
});
