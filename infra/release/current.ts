import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesizeWithoutCode } from '../synthesize.ts';
import { assemblyStacks } from './assembly-stacks.ts';
import { type Excerpt, excerptOf } from './excerpt.ts';

/** The stage that a release is judged by: it has everything that a deployment can have. */
const stage = 'prod';

/** Where the excerpt of the last release stands. */
export const releasedFile = new URL('../released/stacks.json', import.meta.url);

/** The excerpt of the stacks as they are now. */
export async function currentExcerpt(): Promise<Excerpt> {
  const outdir = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    const { directory } = await synthesizeWithoutCode({ outdir, stage });
    const stacks = await assemblyStacks(directory);
    return Object.fromEntries(stacks.map(({ name, template }) => [name, excerptOf(template)]));
  } finally {
    await rm(outdir, { recursive: true });
  }
}
