import { join } from 'node:path';
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
