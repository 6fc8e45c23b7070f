import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bundle, bundleFunctions } from '../../infra/bundle.ts';
import { copyCheckout } from '../support/checkout.ts';

const files = ['persons/read-person', 'documents/read-document'];
const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
const outdir = join(folder, 'out');
const mapsdir = join(folder, 'maps');
let bundles: Bundle[];

beforeAll(async () => {
  const bundleOf = await bundleFunctions(files, { outdir, mapsdir, platform: 'here' });
  bundles = files.map(bundleOf);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('the source maps lie by hash beside the bundles, and threads have theirs too', () => {
  const [person, document] = bundles.map(({ hash }) => hash);
  expect(globSync('**/*.map', { cwd: mapsdir }).toSorted()).toEqual(
    [
      `${person}/index.mjs.map`,
      ...['index', 'conversion-process', 'conversion-thread'].map((name) => `${document}/${name}.mjs.map`),
    ].toSorted(),
  );
});

test('nothing of a map is in what is deployed', () => {
  const deployed = globSync('**', { cwd: outdir });
  expect(deployed).toEqual(expect.arrayContaining(files.map((file) => `${file}/index.mjs`)));
  expect(deployed.filter((path) => path.endsWith('.map'))).toEqual([]);
  for (const { folder: bundle } of bundles) {
    expect(readFileSync(join(bundle, 'index.mjs'), 'utf8')).not.toContain('sourceMappingURL');
  }
});

test('a map names its sources as the repository does', () => {
  const map = readFileSync(join(mapsdir, bundles[0]?.hash ?? '', 'index.mjs.map'), 'utf8');
  const { sources } = JSON.parse(map) as { sources: string[] };
  expect(sources).toEqual(expect.arrayContaining(['functions/persons/read-person.ts', 'shared/lambda/serve.ts']));
  expect(sources.filter((source) => source.startsWith('.') || source.startsWith('/'))).toEqual([]);
});

test('a checkout in another folder makes the same bundles, and so the same hashes', () => {
  const checkout = copyCheckout();
  const there = join(folder, 'there');
  const script = `
    const { bundleFunctions } = await import(${JSON.stringify(join(checkout.folder, 'infra/bundle.ts'))});
    const bundleOf = await bundleFunctions(${JSON.stringify(files)}, {
      outdir: ${JSON.stringify(there)}, mapsdir: ${JSON.stringify(join(there, 'maps'))}, platform: 'here' });
    console.log(JSON.stringify(${JSON.stringify(files)}.map((file) => bundleOf(file).hash)));`;
  const hashes = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  checkout.remove();
  expect(JSON.parse(hashes)).toEqual(bundles.map(({ hash }) => hash));
}, 60_000);
