import { build } from 'esbuild';
import { esbuildOptions } from '../../esbuild-options.ts';
import { functionFiles, packingOf } from '../../functions-list.ts';
import { type LocalSettings, synthesizeWithoutCode } from '../../synthesize.ts';
import type { Plan } from './synthesize-apart.ts';

// The other process of `synthesizeApart`.

const settings = JSON.parse(process.argv[2] ?? '{}') as LocalSettings;
const { directory, stackName, settings: given } = await synthesizeWithoutCode(settings);
const { metafile } = await build({
  ...esbuildOptions,
  entryPoints: ['infra/synthesize.ts'],
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
