import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTemplate } from '../../infra/local/template/template.ts';
import { synthesizeLocally } from '../../infra/synthesize.ts';

// biome-ignore lint/suspicious/noExplicitAny: a template is free-form
export type Properties = Record<string, any>;

export interface Resource {
  readonly id: string;
  /** The construct's own id. */
  readonly name: string;
  readonly properties: Properties;
  readonly deletionPolicy: string | undefined;
}

/** The synthesized resources, by type. */
export interface Resources {
  ofType(type: string): Resource[];
  /** What the stack tells of itself, by name. */
  outputs: Properties;
  /** How many there are. */
  count: number;
}

/**
 * Synthesizes the stack with the given settings over those of cdk.json.
 * @param synthesize `synthesizeWithoutCode` where nothing is asked of the code: bundling takes most of the time
 */
export async function synthesizeTemplate(
  settings: Record<string, string> = {},
  synthesize: typeof synthesizeLocally = synthesizeLocally,
): Promise<Resources> {
  const outdir = await mkdtemp(join(tmpdir(), 'template-'));
  try {
    const assembly = await synthesize({ outdir, ...settings });
    const resources = [...readTemplate(assembly).resources.values()];
    const raw = JSON.parse(await readFile(join(outdir, `${assembly.stackName}.template.json`), 'utf8'));
    return {
      outputs: raw.Outputs,
      count: Object.keys(raw.Resources).length,
      ofType: (type) =>
        resources
          .filter((resource) => resource.type === type)
          .map(({ logicalId, constructId, properties }) => ({
            id: logicalId,
            name: constructId,
            properties,
            deletionPolicy: raw.Resources[logicalId].DeletionPolicy,
          })),
    };
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}
