import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { packingOf } from './functions-list.ts';
import { addPackages, type Platform } from './packages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

// Bundled CommonJS (undici, nodemailer) asks for `require`, which an ES module has not.
const banner =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/**
 * Bundles all functions in one call of esbuild, each into a folder of its own with everything it needs.
 * @param files paths under functions/ without their ending
 * @param platform the machine that native packages are for
 * @returns the folder of a file
 */
export async function bundleFunctions(
  files: readonly string[],
  outdir: string,
  platform: Platform,
): Promise<(file: string) => string> {
  const folderOf = (file: string): string => join(outdir, file);
  const threadsOf = (file: string) =>
    packingOf(file).threads.map((thread) => ({ in: thread, out: `${file}/${basename(thread, '.ts')}` }));
  const bundling = build({
    absWorkingDir: root,
    entryPoints: files.flatMap((file) => [{ in: `functions/${file}.ts`, out: `${file}/index` }, ...threadsOf(file)]),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    external: files.flatMap((file) => packingOf(file).packages),
    minify: true,
    legalComments: 'none',
    banner: { js: banner },
    alias: {
      '@aws-sdk/credential-provider-node': join(root, 'infra/slim/lambda-credentials.ts'),
    },
    logLevel: 'warning',
  });
  const adding = files.map((file) => addPackages(packingOf(file).packages, folderOf(file), platform));
  await Promise.all([bundling, ...adding]);
  await mkdir(outdir, { recursive: true });
  await writeFile(join(outdir, 'package.json'), '{"type":"module"}\n');
  return folderOf;
}
