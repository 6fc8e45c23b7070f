import { build } from 'esbuild';
import { functionFiles, packingOf } from '../../build/functions-list.ts';
import { type LocalSettings, synthesizeWithoutCode } from '../../build/synthesize.ts';
import { esbuildOptions } from '../../esbuild-options.ts';
import type { Plan } from './synthesize-in-child.ts';

// The other process of `synthesizeApart`.

const settings = JSON.parse(process.argv[2] ?? '{}') as LocalSettings;
const { directory, stackName, settings: given } = await synthesizeWithoutCode(settings);
const { metafile } = await build({
  ...esbuildOptions,
  entryPoints: ['infra/build/synthesize.ts'],
  packages: 'external',
  metafile: true,
  write: false,
  outdir: settings.outdir,
});
const functions = functionFiles.map((file) => ({ file, ...packingOf(file, given) }));
const plan: Plan = {
  assembly: { directory, stackName },
  functions,
  sources: [...Object.keys(metafile.inputs), 'cdk.json'],
};
// A long message is on its way for a while.
process.send?.(plan, undefined, undefined, () => process.disconnect());
