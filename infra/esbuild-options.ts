import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

export const root = fileURLToPath(new URL('..', import.meta.url));

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
  // Bundled CommonJS (undici, nodemailer) asks for `require`, which an ES module has not.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  alias: {
    '@aws-sdk/credential-provider-node': join(root, 'infra/slim/lambda-credentials.ts'),
  },
  // Which source a place comes from is enough: whoever reads a trace has the sources.
  sourcesContent: false,
} as const satisfies BuildOptions;

/** A function's file under functions/, without its ending, and what has to be packed with it. */
export interface FunctionSource {
  readonly file: string;
  readonly packages: readonly string[];
  readonly threads: readonly string[];
  /** Files that the function reads, by their paths beside it. */
  readonly texts: Readonly<Record<string, string>>;
}

/** What is bundled of a function: itself, and its threads beside it. */
export const entryPointsOf = ({ file, threads }: FunctionSource): { in: string; out: string }[] => [
  { in: `functions/${file}.ts`, out: `${file}/index` },
  ...threads.map((thread) => ({ in: thread, out: `${file}/${basename(thread, '.ts')}` })),
];
