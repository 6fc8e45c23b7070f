import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bundle, bundleFunctions } from '../../../infra/build/bundle.ts';
import { sbomOf, writeSbom } from '../../../infra/build/sbom.ts';
import { readDeploymentSettings } from '../../../infra/settings/settings.ts';
import { copyCheckout } from '../../harness/checkout.ts';

const files = ['persons/read-person', 'documents/read-document'];
const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
const outdir = join(folder, 'out');
const mapsdir = join(folder, 'maps');
let bundles: Bundle[];
let bundleOf: (file: string) => Bundle;

beforeAll(async () => {
  const settings = readDeploymentSettings(() => undefined);
  bundleOf = await bundleFunctions(files, { outdir, mapsdir, platform: 'here', settings });
  bundles = files.map(bundleOf);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a bundle's hash is the hash of its CDK asset", () => {
  const asset = (folder: string, index: number) => new Asset(new Stack(), `${index}`, { path: folder }).assetHash;
  expect(bundles.map(({ hash }) => hash)).toEqual(bundles.map(({ folder }, index) => asset(folder, index)));
});

test("the build stores source maps of functions and worker threads under the bundle's hash, and deploys none", () => {
  const [person, document] = bundles.map(({ hash }) => hash);
  const inDocument = ['index', 'conversion-process', 'conversion-thread'].map((name) => `${document}/${name}.mjs.map`);
  expect(globSync('**/*.map', { cwd: mapsdir }).toSorted()).toEqual(
    [`${person}/index.mjs.map`, ...inDocument].toSorted(),
  );
  expect(globSync('**/*.map', { cwd: outdir })).toEqual([]);
  for (const { folder: bundle } of bundles)
    expect(readFileSync(join(bundle, 'index.mjs'), 'utf8')).not.toContain('sourceMappingURL');
});

/** Returns the source files that the source map of a function lists. */
function sourcesOf(bundle: Bundle | undefined): string[] {
  const map = readFileSync(join(mapsdir, bundle?.hash ?? '', 'index.mjs.map'), 'utf8');
  return JSON.parse(map).sources;
}

test('a source map lists its source files by their paths from the root of the repository', () => {
  const sources = sourcesOf(bundles[0]).filter((source) => !source.includes('node_modules/'));
  expect(sources).toEqual(expect.arrayContaining(['functions/persons/read-person.ts', 'shared/lambda/serve.ts']));
  expect(sources.filter((source) => source.startsWith('.') || source.startsWith('/'))).toEqual([]);
});

test('the build creates identical bundles and hashes in a checkout whose folder has a different name', () => {
  const checkout = copyCheckout('checkout+ (copy) ');
  const there = join(folder, 'there');
  const script = `
    const { readDeploymentSettings } = await import(${JSON.stringify(join(checkout.folder, 'infra/settings/settings.ts'))});
    const { bundleFunctions } = await import(${JSON.stringify(join(checkout.folder, 'infra/build/bundle.ts'))});
    const bundleOf = await bundleFunctions(${JSON.stringify(files)}, {
      outdir: ${JSON.stringify(there)}, mapsdir: ${JSON.stringify(join(there, 'maps'))}, platform: 'here', settings: readDeploymentSettings(() => undefined) });
    console.log(JSON.stringify(${JSON.stringify(files)}.map((file) => bundleOf(file).hash)));`;
  const hashes = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  checkout.remove();
  expect(JSON.parse(hashes)).toEqual(bundles.map(({ hash }) => hash));
});

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly licenses?: readonly unknown[];
  readonly components?: readonly { readonly name: string; readonly hashes?: readonly unknown[] }[];
}
let components: Component[];
let dependencies: Record<string, string[]>;
beforeAll(async () => {
  await writeSbom(folder, files, bundleOf);
  const bom = JSON.parse(readFileSync(sbomOf(folder), 'utf8'));
  components = bom.components;
  expect([bom.bomFormat, bom.specVersion, bom.components[0].type]).toEqual(['CycloneDX', '1.6', 'application']);
  dependencies = Object.fromEntries(
    bom.dependencies.map(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [ref, dependsOn]),
  );
});
const namesOf = (file: string): string[] =>
  (dependencies[`function:${file}`] ?? []).map((purl) => decodeURIComponent(purl.slice(8, purl.lastIndexOf('@'))));

test("the bill of materials lists the packages that a function's source map mentions", () => {
  const packages = sourcesOf(bundles[0]).flatMap(
    (source) => source.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? [],
  );
  expect(packages).toContain('zod');
  expect(namesOf('persons/read-person')).toEqual([...new Set(packages)].toSorted());
});

test("the bill of materials lists a function's unbundled packages with their native parts", () => {
  expect(namesOf('documents/read-document')).toEqual(expect.arrayContaining(['sharp', '@hyzyla/pdfium']));
  const parts = components.flatMap(({ name, components: inside = [] }) => inside.map((part) => `${name} ${part.name}`));
  expect(parts).toEqual(expect.arrayContaining([expect.stringMatching(/sharp-libvips-.* vips$/)]));
  expect(parts).toEqual(expect.arrayContaining([expect.stringMatching(/pdfium .*pdfium\.wasm$/)]));
  expect(parts).toEqual(expect.arrayContaining([expect.stringMatching(/sharp-.*\.node$/)]));
});

test('the bill of materials lists each package once and states one licence for it', () => {
  const packages = components.filter((one) => one['bom-ref'].startsWith('pkg:npm/'));
  for (const { name, licenses } of packages) expect(licenses, name).toHaveLength(1);
  const refs = components.map((one) => one['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  expect(
    Object.values(dependencies)
      .flat()
      .filter((ref) => !refs.includes(ref)),
  ).toEqual([]);
});
