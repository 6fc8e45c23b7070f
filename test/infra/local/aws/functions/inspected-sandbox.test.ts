import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDebugger } from '../../../../../infra/local/aws/functions/debugger.ts';
import { createDevBundles, type DevBundles } from '../../../../../infra/local/dev/dev-bundles.ts';
import { type LocalStack, startLocalStack } from '../../../../../infra/local/start.ts';
import { createAssembly } from '../../assembly.ts';

const file = 'topics/create-topic';
const folder = mkdtempSync(join(tmpdir(), 'inspected-'));
const lines: string[] = [];
let bundles: DevBundles;
let stack: LocalStack;

function writeAssembly() {
  const assembly = createAssembly();
  const properties = { Timeout: 1, Environment: { Variables: { BUNDLE_HASH: file, TOPICS_TABLE: 'topics' } } };
  assembly.addFunction('createTopic', '', { properties });
  assembly.permit('createTopic');
  assembly.addApi({ 'POST /topics': { target: 'createTopic', integration: { TimeoutInMillis: 50 } } });
  return assembly.write();
}

const start = (inspected: string) =>
  startLocalStack({
    assembly: writeAssembly(),
    code: { folderOf: bundles.folderOf, inspected },
    onLog: (line) => lines.push(line),
  });

beforeAll(async () => {
  bundles = await createDevBundles([{ file, packages: [], beside: [], texts: {} }], folder);
  stack = await start('createTopic');
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true });
});

interface Script {
  scriptId: string;
  url: string;
  sourceMapURL: string;
}

interface Paused {
  callFrames: { location: { scriptId: string; lineNumber: number; columnNumber: number } }[];
}

/** Simulates a debugger: attaches to a process, follows source maps, and reports the source position of each pause. */
async function attach(address: string) {
  const debug = await connectDebugger(address);
  const scripts = new Map<string, Script>();
  debug.on<Script>('Debugger.scriptParsed', (script) => scripts.set(script.scriptId, script));
  const sourceOf = ({ callFrames: [frame] }: Paused): string => {
    const { scriptId = '', lineNumber = 0, columnNumber = 0 } = frame?.location ?? {};
    const { url = '', sourceMapURL = '' } = scripts.get(scriptId) ?? {};
    const map = JSON.parse(readFileSync(new URL(sourceMapURL, url), 'utf8'));
    const entry = new SourceMap(map).findEntry(lineNumber, columnNumber);
    return 'originalSource' in entry ? fileURLToPath(new URL(map.sourceRoot + entry.originalSource)) : '';
  };
  const nextPause = () =>
    new Promise<string>((tell) => debug.on<Paused>('Debugger.paused', (at) => tell(sourceOf(at))));
  const firstPause = nextPause();
  await debug.send('Debugger.enable');
  await debug.send('Runtime.runIfWaitingForDebugger');
  return { ...debug, firstPause, nextPause };
}

test("a call pauses at a line of the function's original source, and no time limit ends a paused call", async () => {
  await expect.poll(() => lines.find((line) => line.includes('debugger'))).toBeDefined();
  const address = /createTopic: waiting for a debugger at (127\.0\.0\.1:\d+)/.exec(lines.join('\n'))?.[1] ?? '';
  const call = () => fetch(`${stack.outputs.baseUrl}/v1/topics?name=CR`, { method: 'POST' });
  const first = call();
  const debug = await attach(address);
  const source = join(import.meta.dirname, '../../../../../functions', `${file}.ts`);
  expect(await debug.firstPause).toBe(source);
  // This pause is longer than the time limits of the function and the API.
  await new Promise((go) => setTimeout(go, 1500));
  const secondPause = debug.nextPause();
  await debug.send('Debugger.resume');
  // The function fails because it has no permission to write to the table.
  expect((await first).status).toBe(500);

  const second = call();
  expect(await secondPause).toBe(source);
  await debug.send('Debugger.resume');
  expect((await second).status).toBe(500);
  debug.close();
});

test('stopping the stack also ends a process that is waiting for a debugger', async () => {
  const lineCount = lines.length;
  const own = await start('createTopic');
  const address = () => /waiting for a debugger at (\S+)$/.exec(lines.slice(lineCount).join('\n'))?.[1];
  await expect.poll(address).toBeDefined();
  expect((await fetch(`http://${address()}/json/list`)).status).toBe(200);
  await own.stop();
  await expect(fetch(`http://${address()}/json/list`)).rejects.toThrow('fetch failed');
});

test('invoking an unknown function returns an error that lists the existing functions', async () => {
  await expect(start('readPersons')).rejects.toThrow('the stack has no function readPersons. Functions: createTopic');
});
