import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, type AppProps } from 'aws-cdk-lib';
import { DISABLE_METADATA_STACK_TRACE } from 'aws-cdk-lib/cx-api';
import { readStage } from '../settings/read-stage.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { makeStacks } from '../stacks/stacks.ts';
import { type Bundle, bundleFunctions } from './bundle.ts';
import { functionFiles } from './functions-list.ts';
import { lambdaArm64, type Platform } from './packages.ts';
import { writeSbom } from './sbom.ts';
import { mapsFolderOf } from './source-maps.ts';

const openApp = (props: AppProps): App => new App({ analyticsReporting: false, ...props });

function synthesizeAround(app: App, settings: DeploymentSettings, bundleOf: (file: string) => Bundle) {
  const { stackTraceLimit } = Error;
  // CDK captures a stack trace for each resource, even for an app that stores no stack traces.
  if (app.node.tryGetContext(DISABLE_METADATA_STACK_TRACE)) Error.stackTraceLimit = 1;
  try {
    const stackName = makeStacks(app, settings, bundleOf);
    return { directory: app.synth().directory, stackName, settings };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Bundles the functions and synthesizes the stacks. The settings come from the stage's file and the app's context.
 * @param platform the platform on which the functions will run
 * @param onStep called with a description of each step, because synthesis takes several seconds
 */
export async function synthesize(
  props: AppProps = {},
  platform: Platform = lambdaArm64,
  onStep: (step: string) => void = () => {},
) {
  const bundles = await mkdtemp(join(tmpdir(), 'identity-registry-'));
  try {
    const app = openApp(props);
    const mapsdir = mapsFolderOf(app.outdir);
    const settings = await readStage(app.node.getAllContext(), platform === 'here');
    onStep('bundling the functions ...');
    const bundling = { outdir: bundles, mapsdir, platform, settings };
    const bundleOf = await bundleFunctions(functionFiles, bundling);
    await writeSbom(app.outdir, functionFiles, bundleOf);
    onStep('synthesizing the stacks ...');
    return synthesizeAround(app, settings, bundleOf);
  } finally {
    // The assembly has its own copy of each bundle, so the original bundles are no longer needed.
    await rm(bundles, { recursive: true, force: true });
  }
}

const cdkJson = fileURLToPath(new URL('../../cdk.json', import.meta.url));

/** Returns the properties of a CDK app that has the context in cdk.json and the given settings. */
async function localProps({ outdir, ...settings }: LocalSettings): Promise<AppProps> {
  const { context } = JSON.parse(await readFile(cdkJson, 'utf8')) as { context: Record<string, unknown> };
  // Skips CDK's validation and stack traces, because they take most of the synthesis time. `npm run synth` and every
  // deployment still run the validation.
  return { builtinCloudFormationValidation: false, stackTraces: false, outdir, context: { ...context, ...settings } };
}

export interface LocalSettings {
  readonly outdir: string;
  readonly [setting: string]: string;
}

/** Overrides the stage's settings, because a local stack uses the account and Region of the emulators. */
export const localPlace = { account: '', region: '' };

export const synthesizeLocally = async (settings: LocalSettings, onStep?: (step: string) => void) =>
  synthesize(await localProps({ ...settings, ...localPlace }), 'here', onStep);

/** Synthesizes the stacks without the code of the functions. Each function's asset hash is its file name. */
export async function synthesizeWithoutCode(settings: LocalSettings) {
  const folder = join(settings.outdir, 'no-code');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.mjs'), '');
  const app = openApp(await localProps(settings));
  const given = await readStage(app.node.getAllContext(), true);
  const assembly = synthesizeAround(app, given, (file) => ({ folder, hash: file, packages: [] }));
  return { ...assembly, app };
}
