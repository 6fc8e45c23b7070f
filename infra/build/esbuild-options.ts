import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { evaluateRoutes, loadedLater, pureConstants } from './plugins.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const aliasFile = (name: string): string => join(import.meta.dirname, 'aliases', `${name}.ts`);

/** Replacements for packages that the functions do not need. Each replacement file states how much it saves. */
export const aliases: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-node': aliasFile('credential-provider'),
  '@aws-sdk/middleware-endpoint-discovery': aliasFile('endpoint-discovery'),
  '@smithy/core/event-streams': aliasFile('event-streams'),
  'node:http': aliasFile('node-http'),
};

export const esbuildOptions = {
  absWorkingDir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // Otherwise, esbuild replaces such regular expressions with calls that compile them again for each use.
  supported: { 'regexp-unicode-property-escapes': true },
  mainFields: ['module', 'main'],
  legalComments: 'none',
  // By default, esbuild writes each Arabic letter as a six-byte escape.
  charset: 'utf8',
  // Bundled CommonJS packages (undici, nodemailer) call `require`, which ES modules do not define.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  // Runs the warm-up calls of `shared/lambda/warm-up.ts` while Lambda initializes the function.
  footer: { js: "await globalThis[Symbol.for('runWarmUps')]?.();" },
  alias: aliases,
  plugins: [loadedLater],
  // Source maps do not contain the source text, because developers have the repository.
  sourcesContent: false,
} as const satisfies BuildOptions;

export const deployedOptions = {
  ...esbuildOptions,
  minify: true,
  plugins: [...esbuildOptions.plugins, evaluateRoutes, pureConstants],
} as const satisfies BuildOptions;

export interface FunctionSource {
  readonly file: string;
  readonly packages: readonly string[];
  /**
   * Sources that are bundled as separate files in the function's folder: worker threads and dynamically imported
   * modules.
   */
  readonly beside: readonly string[];
  /** The contents of the text files that the function reads, by path in the function's folder. */
  readonly texts: Readonly<Record<string, string>>;
}

export const entryPointsOf = ({ file, beside }: FunctionSource): { in: string; out: string }[] => [
  { in: `functions/${file}.ts`, out: `${file}/index` },
  ...beside.map((source) => ({ in: source, out: `${file}/${basename(source, '.ts')}` })),
];
