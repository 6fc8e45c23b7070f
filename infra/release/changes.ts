import { unread } from '../build/stored-schemas/incompatibilities.ts';
import type { Forms } from '../forms/forms.ts';
import type { AssemblyStack } from '../operate/release/assembly-stacks.ts';
import { type Excerpt, excerptOf } from '../operate/release/excerpt.ts';
import { losses } from '../operate/release/find-losses.ts';

/** What a release is compared by: what its stacks are made of, and what its functions read. */
export interface Release {
  readonly stacks: Excerpt;
  readonly forms: Forms;
}

/** Stacks from before forms were told have none. */
export const releaseOf = (stacks: readonly Pick<AssemblyStack, 'name' | 'template'>[]): Release => ({
  stacks: Object.fromEntries(stacks.map(({ name, template }) => [name, excerptOf(template)])),
  forms: Object.assign({}, ...stacks.map(({ template }) => template.Metadata?.forms)),
});

export interface Changes {
  /** What the update would lose, or be refused. */
  readonly lost: readonly string[];
  /** What the release before could not read again. */
  readonly lostByRollback: readonly string[];
}

/** What an update from one release to another must not do by a slip, a line each. */
export const changes = (before: Release, after: Release): Changes => ({
  lost: [
    ...losses(before.stacks, after.stacks),
    ...unread(before.forms, after.forms).map((line) => `what is there is no longer read: ${line}`),
  ],
  lostByRollback: unread(after.forms, before.forms).map(
    (line) => `what is written from then on the release before does not read: ${line}`,
  ),
});
