import { findIncompatibilities } from '../../build/stored-schemas/incompatibilities.ts';
import type { StoredSchemas } from '../../build/stored-schemas/stored-schemas.ts';
import type { AssemblyStack } from './assembly-stacks.ts';
import { type Excerpt, excerptOf } from './excerpt.ts';
import { findLosses } from './find-losses.ts';

/** The parts of releases that are compared: stateful resources, and the schemas of rows and payloads. */
export interface Release {
  readonly stacks: Excerpt;
  readonly schemas: StoredSchemas;
  /** The names of restored tables and buckets and the ARNs of restored secrets, by stack and output. */
  readonly restored?: Readonly<Record<string, string>>;
}

/** Returns the outputs that contain a name instead of a reference, because the `restored` setting contains this name. */
const restoredIn = ({ name, template }: Pick<AssemblyStack, 'name' | 'template'>): [string, string][] =>
  Object.entries(template.Outputs ?? {}).flatMap(([output, { Value }]): [string, string][] =>
    /(Table|Bucket|Secret)$/.test(output) && typeof Value === 'string' ? [[`${name} ${output}`, Value]] : [],
  );

export const releaseOf = (stacks: readonly Pick<AssemblyStack, 'name' | 'template'>[]): Release => ({
  stacks: Object.fromEntries(stacks.map(({ name, template }) => [name, excerptOf(template)])),
  schemas: Object.assign({}, ...stacks.map(({ template }) => template.Metadata?.storedSchemas)),
  restored: Object.fromEntries(stacks.flatMap(restoredIn)),
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
    ...Object.entries(before.restored ?? {})
      .filter(([output, resource]) => after.restored?.[output] !== resource)
      .map(([output, resource]) => `${output}: ${resource} is no longer used: name it in the setting restored`),
    ...findIncompatibilities(before.schemas, after.schemas).map(
      (line) => `this release cannot read existing data: ${line}`,
    ),
  ],
  lostByRollback: findIncompatibilities(after.schemas, before.schemas).map(
    (line) => `the previous release cannot read new data: ${line}`,
  ),
});
