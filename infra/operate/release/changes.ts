import { findIncompatibilities } from '../../build/stored-schemas/incompatibilities.ts';
import type { StoredSchemas } from '../../build/stored-schemas/stored-schemas.ts';
import type { AssemblyStack } from './assembly-stacks.ts';
import { type Excerpt, excerptOf } from './excerpt.ts';
import { findLosses } from './find-losses.ts';

/** The parts of releases that are compared: stateful resources, and the schemas of rows and payloads. */
export interface Release {
  readonly stacks: Excerpt;
  readonly schemas: StoredSchemas;
}

export const releaseOf = (stacks: readonly Pick<AssemblyStack, 'name' | 'template'>[]): Release => ({
  stacks: Object.fromEntries(stacks.map(({ name, template }) => [name, excerptOf(template)])),
  schemas: Object.assign({}, ...stacks.map(({ template }) => template.Metadata?.storedSchemas)),
});

export interface Changes {
  /** Data that the update would lose, and changes that CloudFormation would reject. */
  readonly lost: readonly string[];
  /** New data that the previous release could not read after a rollback. */
  readonly lostByRollback: readonly string[];
}

/** Describes the data that an update from one release to another, or its rollback, would lose. */
export const changes = (before: Release, after: Release): Changes => ({
  lost: [
    ...findLosses(before.stacks, after.stacks),
    ...findIncompatibilities(before.schemas, after.schemas).map(
      (line) => `this release cannot read existing data: ${line}`,
    ),
  ],
  lostByRollback: findIncompatibilities(after.schemas, before.schemas).map(
    (line) => `the previous release cannot read new data: ${line}`,
  ),
});
