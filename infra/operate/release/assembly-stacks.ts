import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredSchemas } from '../../build/stored-schemas/stored-schemas.ts';

export interface RawResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

export interface RawTemplate {
  readonly Metadata?: { readonly storedSchemas?: StoredSchemas };
  readonly Resources: Readonly<Record<string, RawResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value?: unknown }>>;
}

interface Manifest {
  readonly artifacts: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly properties?: {
          readonly templateFile?: string;
          readonly stackName?: string;
          readonly terminationProtection?: boolean;
        };
      }
    >
  >;
}

export interface AssemblyStack {
  readonly name: string;
  readonly template: RawTemplate;
  readonly isProtected: boolean;
}

export async function assemblyStacks(directory: string): Promise<AssemblyStack[]> {
  const read = async (file: string) => JSON.parse(await readFile(join(directory, file), 'utf8'));
  const { artifacts } = (await read('manifest.json')) as Manifest;
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack');
  return Promise.all(
    stacks
      .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
      .map(async ([id, { properties }]) => ({
        name: properties?.stackName ?? id,
        template: (await read(properties?.templateFile ?? `${id}.template.json`)) as RawTemplate,
        isProtected: properties?.terminationProtection === true,
      })),
  );
}
