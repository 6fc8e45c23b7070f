import { existsSync, readFileSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import { dataStack } from '../../../../shared/contract/deployment-names.ts';

/** The output of `cdk synth`, with the files `<name>.template.json` and `<name>.assets.json` for each stack. */
export interface Assembly {
  directory: string;
  /** The name of the service stack, which is the prefix of all other stack names. */
  stackName: string;
}

export interface TemplateResource {
  logicalId: string;
  type: string;
  /** The resource's name in the CDK code: the last meaningful segment of its construct path. */
  constructId: string;
  constructPath: string;
  condition: string | undefined;
  properties: Record<string, unknown>;
}

export interface Template {
  stackName: string;
  resources: Map<string, TemplateResource>;
  parameters: Record<string, { Default?: unknown }>;
  mappings: Record<string, Record<string, Record<string, unknown>>>;
  conditions: Record<string, unknown>;
  outputs: Record<string, { Value?: unknown; Export?: { Name?: unknown } }>;
  /** Maps the S3 object key of each file asset to the asset's local path. */
  assets: Map<string, string>;
}

interface RawTemplate {
  Resources?: Record<
    string,
    { Type: string; Properties?: Record<string, unknown>; Condition?: string; Metadata?: Record<string, unknown> }
  >;
  Parameters?: Template['parameters'];
  Mappings?: Template['mappings'];
  Conditions?: Template['conditions'];
  Outputs?: Template['outputs'];
}

interface RawAssets {
  files?: Record<string, { source: { path: string }; destinations: Record<string, { objectKey: string }> }>;
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** Reads the construct path of each logical id from a CDK file, because templates do not contain construct paths. */
function readConstructPaths(file: string): Map<unknown, string> {
  if (!existsSync(file)) return new Map();
  const metadata = readJson<Record<string, { type: string; data?: unknown }[]>>(file);
  const entries = Object.entries(metadata).flatMap(([path, items]) =>
    items.filter(({ type }) => type === 'aws:cdk:logicalId').map(({ data }): [unknown, string] => [data, path]),
  );
  return new Map(entries);
}

function meaningfulSegments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== 'Resource' && segment !== 'Default');
}

function nameByConstruct(resources: TemplateResource[]): void {
  const taken = new Map<string, TemplateResource[]>();
  for (const resource of resources) {
    const key = `${resource.type} ${resource.constructId}`;
    taken.set(key, [...(taken.get(key) ?? []), resource]);
  }
  // If several resources have the same name, each name is prefixed with the name of the resource's parent.
  for (const namesakes of taken.values()) {
    if (namesakes.length === 1) continue;
    for (const resource of namesakes) {
      resource.constructId = meaningfulSegments(resource.constructPath).slice(-2).join('/');
    }
  }
}

/** Returns the names of the stacks that run locally: the service stack, and the data stack if there is one. */
export const localStacks = ({ directory, stackName }: Assembly): string[] =>
  [dataStack(stackName), stackName].filter((name) => existsSync(resolvePath(directory, `${name}.template.json`)));

/** Reads the templates of the stacks that run locally as one template. */
export function readTemplate(assembly: Assembly): Template {
  const { directory, stackName } = assembly;
  const templates = localStacks(assembly).map((name) => readStackTemplate(directory, name));
  const merge = <K extends 'parameters' | 'mappings' | 'conditions' | 'outputs'>(part: K): Template[K] =>
    Object.assign({}, ...templates.map((template) => template[part]));
  return {
    stackName,
    resources: new Map(templates.flatMap(({ resources }) => [...resources])),
    parameters: merge('parameters'),
    mappings: merge('mappings'),
    conditions: merge('conditions'),
    outputs: merge('outputs'),
    assets: new Map(templates.flatMap(({ assets }) => [...assets])),
  };
}

function readStackTemplate(directory: string, stackName: string): Template {
  const raw = readJson<RawTemplate>(resolvePath(directory, `${stackName}.template.json`));
  const rawAssets = readJson<RawAssets>(resolvePath(directory, `${stackName}.assets.json`));

  const paths = readConstructPaths(resolvePath(directory, `${stackName}.metadata.json`));

  const assets = new Map<string, string>();
  for (const file of Object.values(rawAssets.files ?? {})) {
    for (const { objectKey } of Object.values(file.destinations)) {
      assets.set(objectKey, resolvePath(directory, file.source.path));
    }
  }

  const resources = Object.entries(raw.Resources ?? {}).map(([logicalId, resource]): TemplateResource => {
    const constructPath = String(resource.Metadata?.['aws:cdk:path'] ?? paths.get(logicalId) ?? logicalId);
    return {
      logicalId,
      type: resource.Type,
      constructId: meaningfulSegments(constructPath).at(-1) ?? logicalId,
      constructPath,
      condition: resource.Condition,
      properties: resource.Properties ?? {},
    };
  });
  nameByConstruct(resources);

  return {
    stackName,
    resources: new Map(resources.map((resource) => [resource.logicalId, resource])),
    parameters: raw.Parameters ?? {},
    mappings: raw.Mappings ?? {},
    conditions: raw.Conditions ?? {},
    outputs: raw.Outputs ?? {},
    assets,
  };
}
