import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { addPackages, type Platform, packagesOf } from './packages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

// Bundled CommonJS (undici, nodemailer) asks for `require`, which an ES module has not.
const banner =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/** Files that run in a thread of their own, beside the function that starts them. */
const threads: Readonly<Record<string, { readonly file: string; readonly name: string }>> = {
  'persons/read-document': { file: 'shared/documents/pdf-worker.ts', name: 'pdf-worker' },
};

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
  const threadOf = (file: string) => {
    const thread = threads[file];
    return thread === undefined ? [] : [{ in: thread.file, out: `${file}/${thread.name}` }];
  };
  const bundling = build({
    absWorkingDir: root,
    entryPoints: files.flatMap((file) => [{ in: `functions/${file}.ts`, out: `${file}/index` }, ...threadOf(file)]),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    external: Object.values(packagesOf).flat(),
    minify: true,
    legalComments: 'none',
    banner: { js: banner },
    alias: {
      '@aws-sdk/credential-provider-node': join(root, 'infra/slim/lambda-credentials.ts'),
    },
    logLevel: 'warning',
  });
  const adding = files.map(async (file) => {
    const packages = packagesOf[file];
    if (packages !== undefined) await addPackages(packages, folderOf(file), platform);
  });
  await Promise.all([bundling, ...adding]);
  await mkdir(outdir, { recursive: true });
  await writeFile(join(outdir, 'package.json'), '{"type":"module"}\n');
  return folderOf;
}
