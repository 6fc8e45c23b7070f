import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesizeWithoutCode } from '../../infra/build/synthesize.ts';
import { type Assembly, readTemplate } from '../../infra/local/aws/template/template.ts';
import { type AssemblyStack, assemblyStacks } from '../../infra/operate/release/assembly-stacks.ts';

// biome-ignore lint/suspicious/noExplicitAny: a template is free-form
export type Properties = Record<string, any>;

export interface Resource {
  readonly id: string;
  /** The construct id. */
  readonly name: string;
  readonly properties: Properties;
  readonly deletionPolicy: string | undefined;
  /** Explicit dependencies. */
  readonly dependsOn: readonly string[];
}

/** The synthesized resources by type. */
export interface Resources {
  ofType(type: string): Resource[];
  /** The id of the only resource with this type and construct id. */
  idOf(type: string, name: string): string;
  /** The statements of all policies, or of one function's policies. */
  statementsOf(functionName?: string): Properties[];
  /** All resource types. */
  types: string[];
  /** The stack's outputs, by name. */
  outputs: Properties;
  /** The number of resources. */
  count: number;
}

async function resourcesOf(assembly: Assembly): Promise<Resources> {
  const resources = [...readTemplate(assembly).resources.values()];
  const raw = JSON.parse(await readFile(join(assembly.directory, `${assembly.stackName}.template.json`), 'utf8'));
  const ofType = (type: string): Resource[] =>
    resources
      .filter((resource) => resource.type === type)
      .map(({ logicalId, constructId, properties }) => ({
        id: logicalId,
        name: constructId,
        properties,
        deletionPolicy: raw.Resources[logicalId].DeletionPolicy,
        dependsOn: [raw.Resources[logicalId].DependsOn ?? []].flat(),
      }));
  return {
    types: [...new Set(resources.map(({ type }) => type))],
    outputs: raw.Outputs,
    count: Object.keys(raw.Resources).length,
    ofType,
    idOf(type, name) {
      const [one, ...others] = ofType(type).filter((resource) => resource.name === name);
      if (one === undefined || others.length > 0) throw new Error(`not exactly one ${type} is called ${name}`);
      return one.id;
    },
    statementsOf(functionName) {
      const roles = ofType('AWS::Lambda::Function')
        .filter(({ name }) => name === functionName)
        .map(({ properties }) => properties.Role['Fn::GetAtt'][0]);
      return ofType('AWS::IAM::Policy')
        .filter(
          ({ properties: { Roles } }) => !functionName || Roles.some(({ Ref }: Properties) => roles.includes(Ref)),
        )
        .flatMap(({ properties }) => properties.PolicyDocument.Statement);
    },
  };
}

type Template = Resources & {
  observability: Resources;
  beside: Readonly<Record<string, Resources>>;
  /** All stacks of the assembly. */
  stacks: readonly AssemblyStack[];
};
const templates = new Map<string, Promise<Template>>();

/**
 * Synthesizes the service's stacks with the stage's settings, overridden by these settings. Test files that share
 * modules share the result.
 */
export function synthesizeTemplate(settings: Record<string, string> = {}): Promise<Template> {
  const key = JSON.stringify(settings);
  const template = templates.get(key) ?? readTemplates(settings);
  templates.set(key, template);
  return template;
}

async function readTemplates(settings: Record<string, string>): Promise<Template> {
  const outdir = await mkdtemp(join(tmpdir(), 'template-'));
  try {
    const { directory, stackName } = await synthesizeWithoutCode({ outdir, ...settings });
    const beside: Record<string, Resources> = {};
    const stacks = await assemblyStacks(directory);
    for (const { name } of stacks) {
      if (name !== stackName)
        beside[name.slice(stackName.length + 1)] = await resourcesOf({ directory, stackName: name });
    }
    const observability = beside.Observability as Resources;
    return { ...(await resourcesOf({ directory, stackName })), observability, beside, stacks };
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}
