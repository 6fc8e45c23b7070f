import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, type AppProps } from 'aws-cdk-lib';
import { bundleFunctions } from './bundle.ts';
import { functionFiles } from './functions-list.ts';
import { lambdaArm64, type Platform } from './packages.ts';
import { ServiceStack } from './service-stack.ts';
import { readDeploymentSettings } from './settings.ts';
import { mapsFolderOf } from './source-maps.ts';

export const stackName = 'IdentityRegistry';

/**
 * Bundles the functions and synthesizes the stack, with its settings from the app's context.
 * @param platform the machine that the functions will run on
 */
export async function synthesize(
  props: AppProps = {},
  platform: Platform = lambdaArm64,
): Promise<{ directory: string; stackName: string }> {
  const bundles = await mkdtemp(join(tmpdir(), 'identity-registry-'));
  try {
    const app = new App({ analyticsReporting: false, ...props });
    const mapsdir = mapsFolderOf(app.outdir);
    const bundleOf = await bundleFunctions(functionFiles, { outdir: bundles, mapsdir, platform });
    const settings = readDeploymentSettings((name) => app.node.tryGetContext(name));
    new ServiceStack(app, stackName, { settings, bundleOf });
    const { directory } = app.synth();
    return { directory, stackName };
  } finally {
    // The assembly has its own copy of every bundle.
    await rm(bundles, { recursive: true, force: true });
  }
}

const cdkJson = fileURLToPath(new URL('../cdk.json', import.meta.url));

/**
 * The same for the laptop and for tests: for this machine, with the context of cdk.json, as the CDK command line gives it,
 * and the given settings over it.
 */
export async function synthesizeLocally({ outdir, ...settings }: { outdir: string; [setting: string]: string }) {
  const { context } = JSON.parse(await readFile(cdkJson, 'utf8')) as { context: Record<string, unknown> };
  return synthesize({ outdir, context: { ...context, ...settings } }, 'here');
}
