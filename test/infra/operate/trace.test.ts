import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bundle, bundleFunctions } from '../../../infra/build/bundle.ts';
import { mapsFolderOf, sourcePlaces } from '../../../infra/build/source-maps.ts';
import { createFunctionPool } from '../../../infra/local/aws/functions/function-pool.ts';
import { readDeploymentSettings } from '../../../infra/settings/settings.ts';
import { apiEvent } from '../../harness/lambda-events.ts';
import { specOf } from '../local/function-spec.ts';

const assembly = mkdtempSync(join(tmpdir(), 'trace-'));
const file = 'persons/read-person';
let bundle: Bundle;
let logged: string;

/**
 * Returns what the bundled function logs if an environment variable is missing. On Lambda, the log would contain the
 * same positions in the code.
 */
async function provokeFault({ folder, hash }: Bundle): Promise<string> {
  const line = Promise.withResolvers<string>();
  const spec = { ...specOf(join(folder, 'index.mjs'), { BUNDLE_HASH: hash }), hasJsonLogs: true };
  const pool = createFunctionPool(spec, 1, line.resolve);
  await pool.invoke(apiEvent({ path: { uin: '1' }, query: 'attributeNames=firstName' }));
  const written = await line.promise;
  await pool.stop();
  return written.replaceAll(pathToFileURL(folder).href, 'file:///var/task');
}

const trace = (input: string, ...options: string[]) =>
  spawnSync(process.execPath, ['infra/operate/trace.ts', '--assembly', assembly, ...options], {
    input,
    encoding: 'utf8',
  });

/** The source file, and the line number (from 1) of the line that throws. */
const source = 'shared/lambda/environment.ts';
const thrower =
  readFileSync(source, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes("new InternalError('missingVariable'")) + 1;

beforeAll(async () => {
  const outdir = join(assembly, 'bundles');
  const settings = readDeploymentSettings(() => undefined);
  const at = { outdir, mapsdir: mapsFolderOf(assembly), platform: 'here' } as const;
  const bundleOf = await bundleFunctions([file], { ...at, settings });
  bundle = bundleOf(file);
  logged = await provokeFault(bundle);
});
afterAll(() => rmSync(assembly, { recursive: true }));

test('trace replaces the position in a logged error with the source line that threw it', () => {
  expect(JSON.parse(logged).message).toMatchObject({ error: 'missingVariable', bundle: bundle.hash });
  expect(logged).toContain('file:///var/task/index.mjs:');
  const { stdout, status } = trace(logged);
  expect(stdout).toContain(`${source}:${thrower}:`);
  expect(stdout).not.toContain('index.mjs');
  expect(status).toBe(0);
});

test('for multi-line log entries and the stack traces after them, trace uses the bundle that was named last', () => {
  const { at } = JSON.parse(logged).message as { at: string };
  const printed = JSON.stringify(JSON.parse(logged), null, 2);
  const stack = `TypeError: of another kind\n    ${at.split(' < ').join('\n    ')}`;
  const { stdout } = trace(`${printed}\nnothing here\n${stack}`);
  expect(stdout.match(new RegExp(`${source}:${thrower}:`, 'g'))).toHaveLength(2);
  expect(stdout).toContain('nothing here');
});

test('trace uses the hash on the command line for a stack trace that names no bundle', () => {
  const { at } = JSON.parse(logged).message as { at: string };
  expect(trace(at, bundle.hash).stdout).toContain(`${source}:${thrower}:`);
  const { stdout, stderr, status } = trace(at);
  expect({ stdout, status }).toEqual({ stdout: `${at}\n`, status: 1 });
  expect(stderr).toContain('Add the hash');
});

test('trace finds the source map of a local bundle in the cloud assembly', () => {
  const asset = pathToFileURL(join(assembly, `asset.${bundle.hash}`)).href;
  expect(sourcePlaces(logged.replaceAll('file:///var/task', asset))).toContain(`${source}:${thrower}:`);
});

test('trace names a bundle that has no source map, and explains how to create the source map', () => {
  const unknown = 'f'.repeat(64);
  const line = logged.replace(bundle.hash, unknown);
  const { stdout, stderr, status } = trace(line);
  expect({ stdout, status }).toEqual({ stdout: `${line}\n`, status: 1 });
  expect(stderr).toContain(`no source map of the bundle ${unknown}`);
  expect(stderr).toContain('npm run synth');
});

test("trace ignores Lambda's own files, even if they have the same names as files of the service", () => {
  const foreign = 'at Runtime.handleOnce (file:///var/runtime/index.mjs:1306:29)';
  const { stdout, status } = trace(`${foreign} bundle: ${bundle.hash}`);
  expect([status, stdout]).toEqual([0, expect.stringContaining('/var/runtime/index.mjs:1306:29')]);
});

test("trace does not use one request's bundle for the log line of another request", () => {
  const line = (requestId: string, rest: string) => `{"requestId":"${requestId}",${rest}}`;
  const [place = ''] = /file:\/\/\/var\/task\/index\.mjs:\d+:\d+/.exec(logged) ?? [];
  const lines = [line('one', `"bundle":"${bundle.hash}","at":"${place}"`), line('other', `"at":"${place}"`)];
  const { stdout, stderr } = trace(lines.join('\n'));
  expect(stdout.split('\n')[0]).not.toContain(place);
  expect(stdout.split('\n')[1]).toContain(place);
  expect(stderr).toContain('Some positions belong to an unknown bundle');
});

test('trace processes even a very long path quickly', () => {
  const path = '/a'.repeat(5000);
  expect(sourcePlaces(path)).toBe(path);
});
