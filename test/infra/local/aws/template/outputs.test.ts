import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalOutputs, readOutputs, writeOutputs } from '../../../../../infra/local/aws/template/outputs.ts';
import { listenLocally } from '../../../../harness/local-server.ts';

let server: Server;
let folder: string;
let baseUrl: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outputs-'));
  server = createServer();
  baseUrl = await listenLocally(server);
});
afterEach(() => void server.close());

const outputs = (processId: number, url: string) => ({ processId, baseUrl: url }) as LocalOutputs;
const running = () => outputs(process.ppid, baseUrl);
const urlAt = (port: number) => `http://127.0.0.1:${port}`;
const own = outputs(process.pid, urlAt(4711));
const file = (name = 'outputs.json') => join(folder, name);
const read = (name?: string) => JSON.parse(readFileSync(file(name), 'utf8'));

test('the first stack in a folder writes outputs.json', async () => {
  const below = join(folder, 'made');
  expect(await writeOutputs(own, below)).toBe(join(below, 'outputs.json'));
});

test('a second stack writes its own outputs file, whose name contains the port', async () => {
  writeFileSync(file(), JSON.stringify(running()));
  expect(await writeOutputs(own, folder)).toBe(file('outputs-4711.json'));
  expect([read(), read('outputs-4711.json')]).toEqual([running(), own]);
});

// No process ID is this large.
const unusedProcessId = 2 ** 30;

test.each([
  ['a file of a process that has already exited', () => JSON.stringify({ ...running(), processId: unusedProcessId })],
  ['a file with the ID of a process that is not a stack', () => JSON.stringify(outputs(process.ppid, urlAt(1)))],
  ['a file with the same port', () => JSON.stringify(outputs(process.ppid, urlAt(4711)))],
  ['a file of an older version', () => JSON.stringify({ baseUrl: running().baseUrl })],
  ['a file that cannot be parsed', () => '{'],
])('writeOutputs replaces %s', async (_name, content) => {
  writeFileSync(file(), content());
  expect(await writeOutputs(own, folder)).toBe(file());
  expect(read()).toEqual(own);
});

test('readOutputs returns only the outputs of running stacks, with outputs.json first', async () => {
  writeFileSync(file('outputs-9.json'), JSON.stringify({ ...running(), issuer: 'second' }));
  writeFileSync(file(), JSON.stringify(running()));
  writeFileSync(file('outputs-8.json'), JSON.stringify(outputs(unusedProcessId, urlAt(8))));
  writeFileSync(file('other.json'), JSON.stringify(running()));
  expect(await readOutputs(folder)).toEqual([running(), { ...running(), issuer: 'second' }]);
  expect(await readOutputs(join(folder, 'missing'))).toEqual([]);
  expect(existsSync(file('outputs-8.json'))).toBe(true);
});
