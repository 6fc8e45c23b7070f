import { build } from 'esbuild';
import { esbuildOptions } from '../../build/esbuild-options.ts';
import { functionFiles, packingOf } from '../../build/functions-list.ts';
import { type LocalSettings, localPlace, synthesizeWithoutCode } from '../../build/synthesize.ts';
import type { Plan } from './synthesize-in-child.ts';

// The child process of `synthesizeInChild`.

const settings = JSON.parse(process.argv[2] ?? '{}') as LocalSettings;
const { directory, stackName, settings: given } = await synthesizeWithoutCode({ ...settings, ...localPlace });
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
// Disconnects only after the message has been sent.
process.send?.(plan, undefined, undefined, () => process.disconnect());
