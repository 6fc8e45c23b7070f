import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A component of CycloneDX 1.6 (ECMA-424), as far as we fill it in. */
export interface Component {
  readonly type: 'library' | 'file' | 'application';
  readonly 'bom-ref'?: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly licenses?: readonly object[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  /** What it brings along that is no package: native libraries, WebAssembly. */
  readonly components?: readonly Component[];
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** The native parts of a package by their content; and of libvips the libraries that are linked into it. */
function partsOf(folder: string): Component[] {
  const files = globSync('**/*.{node,wasm,so,so.*,dylib}', { cwd: folder, exclude: ['node_modules'] }).toSorted();
  const linked = join(folder, 'versions.json');
  const libraries = existsSync(linked) ? Object.entries(readJson<Record<string, string>>(linked)) : [];
  return [
    ...files.map((name): Component => {
      const content = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex');
      return { type: 'file', name, hashes: [{ alg: 'SHA-256', content }] };
    }),
    ...libraries.map(([name, version]): Component => ({ type: 'library', name, version })),
  ];
}

// "package-url/purl-spec", type npm: the scope's `@` is escaped.
const purlOf = ({ name, version }: Package): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** An expression of SPDX where the licence is none of its identifiers alone. */
const licenceOf = (licence: string): object =>
  / (?:AND|OR|WITH) /.test(licence) ? { expression: licence } : { license: { id: licence } };

/** The package in this folder. @throws where it has no licence: then nobody may deploy it */
export function componentOf(folder: string): Component & { readonly 'bom-ref': string } {
  const found = readJson<Package>(join(folder, 'package.json'));
  if (typeof found.license !== 'string') throw new Error(`the package ${found.name} names no licence`);
  const parts = partsOf(folder);
  const purl = purlOf(found);
  return {
    type: 'library',
    'bom-ref': purl,
    name: found.name,
    version: found.version,
    purl,
    licenses: [licenceOf(found.license)],
    ...(parts.length > 0 && { components: parts }),
  };
}
