import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesizeWithoutCode } from '../../build/synthesize.ts';
import { type Release, releaseOf } from '../../release/changes.ts';
import { assemblyStacks } from './assembly-stacks.ts';

/** The stage that a release is judged by: it has everything that a deployment can have. */
const stage = 'prod';

const folders = { stacks: '../last-release/', forms: '../../released/' };
const fileOf = (name: keyof Release): URL => new URL(`${folders[name]}${name}.json`, import.meta.url);

/** The last release, as it was written down. */
export const lastRelease = (): Release => {
  const read = (name: keyof Release) => JSON.parse(readFileSync(fileOf(name), 'utf8'));
  return { stacks: read('stacks'), forms: read('forms') };
};

/** Writes a release down as the last one: its forms a line each, which a diff shows one by one. */
export function writeRelease({ stacks, forms }: Release): void {
  const lines = Object.entries(forms).map(([name, form]) => `  ${JSON.stringify(name)}: ${JSON.stringify(form)}`);
  writeFileSync(fileOf('stacks'), `${JSON.stringify(stacks, null, 2)}\n`);
  writeFileSync(fileOf('forms'), `{\n${lines.join(',\n')}\n}\n`);
}

/** What would be released now. */
export async function currentRelease(): Promise<Release> {
  const outdir = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    const { directory } = await synthesizeWithoutCode({ outdir, stage });
    return releaseOf(await assemblyStacks(directory));
  } finally {
    await rm(outdir, { recursive: true });
  }
}
