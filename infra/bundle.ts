import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

// Bundled CommonJS (undici, nodemailer) asks for `require`, which an ES module has not.
const banner =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/**
 * Bundles all functions in one call of esbuild, each into a folder of its own with everything it needs.
 * @param files paths under functions/ without their ending
 * @returns the folder of a file
 */
export async function bundleFunctions(files: readonly string[], outdir: string): Promise<(file: string) => string> {
  const folderOf = (file: string): string => join(outdir, file);
  await build({
    absWorkingDir: root,
    entryPoints: files.map((file) => ({ in: `functions/${file}.ts`, out: `${file}/index` })),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    banner: { js: banner },
    alias: {
      '@aws-sdk/credential-provider-node': join(root, 'infra/slim/lambda-credentials.ts'),
    },
    logLevel: 'warning',
  });
  await mkdir(outdir, { recursive: true });
  await writeFile(join(outdir, 'package.json'), '{"type":"module"}\n');
  return folderOf;
}
