import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { evaluating } from './slim/evaluated.ts';
import { modulesReplaced, slim } from './slim/plugin.ts';
import { unused } from './slim/unused.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** What a source loads only when it needs it is bundled as a file of its own, beside each function that may need it. */
const loadedLater: Plugin = {
  name: 'loaded-later',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path, importer }) =>
      kind === 'dynamic-import' && importer.startsWith(join(root, 'shared'))
        ? { path: `./${basename(path, '.ts')}.mjs`, external: true }
        : undefined,
    );
  },
};

/** How every bundle is made, deployed or on a laptop. */
export const esbuildOptions = {
  absWorkingDir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  mainFields: ['module', 'main'],
  legalComments: 'none',
  // Otherwise a letter of Arabic takes six bytes.
  charset: 'utf8',
  // Bundled CommonJS (undici, nodemailer) asks for `require`, which an ES module has not.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  // What a function has asked for is done while Lambda initialises it: shared/lambda/prime.ts.
  footer: { js: "await globalThis[Symbol.for('runPrimes')]?.();" },
  alias: modulesReplaced,
  plugins: [loadedLater, slim],
  // Which source a place comes from is enough: whoever reads a trace has the sources.
  sourcesContent: false,
} as const satisfies BuildOptions;

/** How bundles are made that are deployed: nobody reads them, and nobody waits for them but once. */
export const deployedOptions = {
  ...esbuildOptions,
  minify: true,
  plugins: [...esbuildOptions.plugins, evaluating, unused],
} as const satisfies BuildOptions;

/** A function's file under functions/, without its ending, and what has to be packed with it. */
export interface FunctionSource {
  readonly file: string;
  readonly packages: readonly string[];
  /** Sources that are bundled beside it: its threads, and what it loads only when it needs it. */
  readonly beside: readonly string[];
  /** Files that the function reads, by their paths beside it. */
  readonly texts: Readonly<Record<string, string>>;
}

/** What is bundled of a function: itself, and what belongs beside it. */
export const entryPointsOf = ({ file, beside }: FunctionSource): { in: string; out: string }[] => [
  { in: `functions/${file}.ts`, out: `${file}/index` },
  ...beside.map((source) => ({ in: source, out: `${file}/${basename(source, '.ts')}` })),
];
