import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesizeWithoutCode } from '../../build/synthesize.ts';
import { assemblyStacks } from './assembly-stacks.ts';
import { type Release, releaseOf } from './changes.ts';

/** Releases are compared as deployments of the production stage `prod`. */
const stage = 'prod';

const folder = new URL('../last-release/', import.meta.url);
const fileOf = (name: keyof Release): URL => new URL(`${name}.json`, folder);

export const lastRelease = (): Release => {
  const read = (name: keyof Release) => JSON.parse(readFileSync(fileOf(name), 'utf8'));
  return { stacks: read('stacks'), schemas: read('schemas') };
};

/** Stores a release as the latest release. Each schema is on its own line, so that diffs are readable. */
export function writeRelease({ stacks, schemas: forms }: Release): void {
  const lines = Object.entries(forms).map(([name, form]) => `  ${JSON.stringify(name)}: ${JSON.stringify(form)}`);
  writeFileSync(fileOf('stacks'), `${JSON.stringify(stacks, null, 2)}\n`);
  writeFileSync(fileOf('schemas'), `{\n${lines.join(',\n')}\n}\n`);
}

/** @param settings values that replace settings of the stage */
export async function currentRelease(settings: Readonly<Record<string, string>> = {}): Promise<Release> {
  const outdir = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    const { directory } = await synthesizeWithoutCode({ ...settings, outdir, stage });
    return releaseOf(await assemblyStacks(directory));
  } finally {
    await rm(outdir, { recursive: true });
  }
}
