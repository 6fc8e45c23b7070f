import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from './esbuild-options.ts';

// The output of `npm sbom --omit dev` lacks every package that a development package also needs (zod, the AWS clients).
// `npm sbom` also lists native packages for the developer's machine, and does not show which functions contain which
// package.

/** A component in CycloneDX 1.6 (ECMA-424), with only the fields that this project writes. */
interface Component {
  readonly type: 'library' | 'file';
  readonly name: string;
  readonly version?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

export const sbomOf = (assembly: string): string => join(assembly, 'sbom.json');

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** Returns the native files of a package with their hashes, and the libraries in the package's `versions.json`. */
function nativePartsOf(folder: string): Component[] {
  const files = globSync('**/*.{node,wasm,so,so.*,dylib}', { cwd: folder, exclude: ['node_modules'] }).toSorted();
  const hashOf = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  const linked = join(folder, 'versions.json');
  const libraries = existsSync(linked) ? Object.entries(readJson<Record<string, string>>(linked)) : [];
  return [
    ...files.map((name) => ({ type: 'file', name, hashes: [{ alg: 'SHA-256', content: hashOf(name) }] }) as const),
    ...libraries.map(([name, version]) => ({ type: 'library', name, version }) as const),
  ];
}

/** Describes the package in a folder. @throws an Error if the package states no licence */
function componentOf(folder: string) {
  const { name, version, license } = readJson<Record<string, string>>(join(folder, 'package.json'));
  if (typeof license !== 'string') throw new Error(`the package ${name} states no licence`);
  const parts = nativePartsOf(folder);
  // The package URL (purl) of an npm package contains the scope's `@` as `%40`.
  const purl = `pkg:npm/${name?.replace('@', '%40')}@${version}`;
  const isExpression = / (?:AND|OR|WITH) /.test(license);
  return {
    ...{ type: 'library', 'bom-ref': purl, name, version, purl },
    licenses: [isExpression ? { expression: license } : { license: { id: license } }],
    ...(parts.length > 0 && { components: parts }),
  };
}

/** Returns the folder of the package that contains a source file; undefined for the project's own sources. */
function packageOf(input: string): string | undefined {
  const [, folder] = input.match(/^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//) ?? [];
  return folder === undefined ? undefined : resolve(root, folder);
}

/**
 * Returns the folders of the packages that a function contains, either in its bundle or as copied files.
 * @param folder absolute path of the function's folder
 */
export function packagesIn({ outputs }: Metafile, folder: string): string[] {
  const bundled = Object.entries(outputs)
    .filter(([output]) => resolve(root, output).startsWith(folder + sep))
    .flatMap(([, { inputs }]) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([input]) => packageOf(input) ?? []);
  const copied = globSync('node_modules/{[!@.]*,@*/*}/package.json', { cwd: folder }).map((file) =>
    join(folder, file, '..'),
  );
  return [...new Set([...bundled, ...copied])].toSorted();
}

/** Writes the CycloneDX bill of materials: each function is an application that depends on the packages in its bundle. */
export async function writeSbom(
  assembly: string,
  files: readonly string[],
  bundleOf: (file: string) => { readonly hash: string; readonly packages: readonly string[] },
): Promise<void> {
  const { name, version } = readJson<{ name: string; version: string }>(join(root, 'package.json'));
  const bundles = files.map((file) => ({ file, ...bundleOf(file) }));
  // Many functions contain the same packages, and describing a package takes milliseconds.
  const folders = new Set(bundles.flatMap(({ packages }) => packages));
  const described = new Map([...folders].map((folder) => [folder, componentOf(folder)]));
  const functions = bundles.map(({ file, hash, packages }) => ({
    ...{ file, ref: `function:${file}`, hash },
    packages: packages.flatMap((folder) => described.get(folder) ?? []),
  }));
  const packages = new Map([...described.values()].map((found) => [found['bom-ref'], found]));
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
    components: [
      ...functions.map(({ file, ref, hash }) => ({
        ...{ type: 'application', 'bom-ref': ref, name: file, version },
        properties: [{ name: 'cdk:asset-hash', value: hash }],
      })),
      ...[...packages].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found),
    ],
    dependencies: [
      { ref: name, dependsOn: functions.map(({ ref }) => ref) },
      ...functions.map((one) => ({
        ref: one.ref,
        dependsOn: [...new Set(one.packages.map((found) => found['bom-ref']))].toSorted(),
      })),
    ],
  };
  await mkdir(assembly, { recursive: true });
  await writeFile(sbomOf(assembly), `${JSON.stringify(bom, null, 1)}\n`);
}
