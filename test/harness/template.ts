import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesizeWithoutCode } from '../../infra/build/synthesize.ts';
import { type Assembly, localStacks, readTemplate } from '../../infra/local/aws/template/template.ts';
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

/** Returns the resources of a stack together with those of its data stack, if it has one. */
function resourcesOf(assembly: Assembly, stacks: readonly AssemblyStack[]) {
  const { resources: read, outputs } = readTemplate(assembly);
  const resources = [...read.values()];
  const merged = stacks.filter(({ name }) => localStacks(assembly).includes(name));
  const raw: Record<string, Properties> = Object.assign({}, ...merged.map(({ template }) => template.Resources));
  const ofType = (type: string): Resource[] =>
    resources
      .filter((resource) => resource.type === type)
      .map(({ logicalId, constructId, properties }) => ({
        id: logicalId,
        name: constructId,
        properties,
        deletionPolicy: raw[logicalId]?.DeletionPolicy,
        dependsOn: [raw[logicalId]?.DependsOn ?? []].flat(),
      }));
  return {
    /** All resource types. */
    types: [...new Set(resources.map(({ type }) => type))],
    /** The outputs, by name. */
    outputs: outputs as Properties,
    ofType,
    /** Returns the ID of the only resource with the given type and construct ID. */
    idOf(type: string, name: string): string {
      const [one, ...others] = ofType(type).filter((resource) => resource.name === name);
      if (one === undefined || others.length > 0) throw new Error(`not exactly one ${type} is called ${name}`);
      return one.id;
    },
    /** Returns the statements in all policies, or in the policies of one function. */
    statementsOf(functionName?: string): Properties[] {
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

/** The synthesized resources by type. */
export type Resources = ReturnType<typeof resourcesOf>;

type Template = Resources & {
  observability: Resources;
  /** All stacks other than the service stack and its data stack. */
  beside: Readonly<Record<string, Resources>>;
  /** All stacks of the assembly. */
  stacks: readonly AssemblyStack[];
};
const templates = new Map<string, Promise<Template>>();

/**
 * Synthesizes the stacks of the service. The given settings override the settings of the stage. Test files that share
 * modules also share the result.
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
    const merged = localStacks({ directory, stackName });
    for (const { name } of stacks.filter((one) => !merged.includes(one.name)))
      beside[name.slice(stackName.length + 1)] = resourcesOf({ directory, stackName: name }, stacks);
    const observability = beside.Observability as Resources;
    return { ...resourcesOf({ directory, stackName }, stacks), observability, beside, stacks };
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}
