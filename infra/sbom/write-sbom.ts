import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bundle } from '../build/bundle.ts';
import { root } from '../esbuild-options.ts';
import { componentOf } from './component.ts';

/** Where an assembly keeps its software bill of materials. */
export const sbomOf = (assembly: string): string => join(assembly, 'sbom.json');

/**
 * Writes what is deployed of other people's code: a bill of materials of CycloneDX, in which each function is an application that
 * depends on the packages of which its bundle holds something. The same bundles give the same file.
 */
export async function writeSbom(
  assembly: string,
  files: readonly string[],
  bundleOf: (file: string) => Bundle,
): Promise<void> {
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  const functions = files.map((file) => {
    const { hash, packages } = bundleOf(file);
    return { file, hash, parts: packages.map(componentOf) };
  });
  const packages = new Map(functions.flatMap(({ parts }) => parts.map((part) => [part['bom-ref'], part] as const)));
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': own.name, name: own.name, version: own.version } },
    components: [
      ...functions.map(({ file, hash }) => ({
        ...{ type: 'application', 'bom-ref': `function:${file}`, name: file, version: own.version },
        properties: [{ name: 'cdk:asset-hash', value: hash }],
      })),
      ...[...packages].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part),
    ],
    dependencies: [
      { ref: own.name, dependsOn: functions.map(({ file }) => `function:${file}`) },
      ...functions.map(({ file, parts }) => ({
        ref: `function:${file}`,
        dependsOn: [...new Set(parts.map((part) => part['bom-ref']))].toSorted(),
      })),
    ],
  };
  await mkdir(assembly, { recursive: true });
  await writeFile(sbomOf(assembly), `${JSON.stringify(bom, null, 1)}\n`);
}
