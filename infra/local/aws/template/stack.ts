import { account, derivedName, namingOf, region } from './identifiers.ts';
import { type References, resolveIntrinsics } from './intrinsics.ts';
import type { Template, TemplateResource } from './template.ts';

export interface Stack {
  template: Template;
  ofType(...types: string[]): TemplateResource[];
  /** Returns the resource's resolved properties. The type `T` of the properties is not checked. */
  properties<T>(resource: TemplateResource): T;
  nameOf(resource: TemplateResource): string;
  arnOf(resource: TemplateResource): string;
  /** Returns the outputs whose names end with `ending`. The keys are the names without the ending. */
  outputsEnding(ending: string): Record<string, string>;
}

export interface Addresses {
  baseUrl: string;
  sqsEndpoint: string;
}

const pseudoParameters = (stackName: string): Record<string, unknown> => ({
  'AWS::Region': region,
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': stackName,
  'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/${stackName}/local`,
  'AWS::NotificationARNs': [],
});

/** Replaces the API's cloud URL (without the stage) with the local URL. */
function localAddresses(value: unknown, baseUrl: string): unknown {
  if (typeof value === 'string') {
    return value.replace(/https:\/\/[^/.\s]+\.execute-api\.[^/\s]+\.amazonaws\.com/g, baseUrl);
  }
  if (Array.isArray(value)) return value.map((item) => localAddresses(item, baseUrl));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, localAddresses(item, baseUrl)]));
}

export function openStack(template: Template, { baseUrl, sqsEndpoint }: Addresses): Stack {
  const pseudo = pseudoParameters(template.stackName);
  const resolved = new Map<string, unknown>();
  const exports = new Map(Object.values(template.outputs).map(({ Value, Export }) => [Export?.Name, Value]));

  const find = (logicalId: string, place: string): TemplateResource => {
    const resource = template.resources.get(logicalId);
    if (!resource) throw new Error(`${place}: the template has no resource or parameter named ${logicalId}`);
    return resource;
  };

  const nameOf = (resource: TemplateResource): string => {
    const explicit = resource.properties[namingOf(resource.type).nameProperty ?? ''];
    const place = `${resource.logicalId}.name`;
    if (explicit !== undefined) return String(resolveIntrinsics(explicit, references, place));
    const isFifo = resource.type === 'AWS::SQS::Queue' && resource.properties.FifoQueue === true;
    const name = derivedName(resource.type, template.stackName, resource.constructId, resource.logicalId);
    return isFifo ? `${name}.fifo` : name;
  };

  const arnOf = (resource: TemplateResource): string => {
    const service = resource.type.split('::')[1]?.toLowerCase();
    const name = nameOf(resource);
    return namingOf(resource.type).arn?.(name) ?? `arn:aws:${service}:${region}:${account}:${name}`;
  };

  const queueUrl = (resource: TemplateResource) => `${sqsEndpoint}/${account}/${nameOf(resource)}`;

  const qualifiedFunction = (resource: TemplateResource, qualifier: string, place: string): string => {
    const name = String(resolveIntrinsics(resource.properties.FunctionName, references, place));
    const arn = name.startsWith('arn:') ? name : `arn:aws:lambda:${region}:${account}:function:${name}`;
    return `${arn}:${qualifier}`;
  };

  const references: References = {
    ref(logicalId, place) {
      if (Object.hasOwn(pseudo, logicalId)) return pseudo[logicalId];
      const parameter = template.parameters[logicalId];
      if (parameter) {
        if (parameter.Default !== undefined) return parameter.Default;
        throw new Error(`${place}: the parameter ${logicalId} has no default value`);
      }
      const resource = find(logicalId, place);
      if (resource.type === 'AWS::Lambda::Version') return qualifiedFunction(resource, '1', place);
      if (resource.type === 'AWS::Lambda::Alias') {
        return qualifiedFunction(resource, String(resource.properties.Name), place);
      }
      const { ref } = namingOf(resource.type);
      if (ref === 'queueUrl') return queueUrl(resource);
      return ref === 'arn' ? arnOf(resource) : nameOf(resource);
    },
    attribute(logicalId, name, place) {
      const resource = find(logicalId, place);
      if (name === 'Arn' || name === `${resource.type.split('::')[2]}Arn`) return arnOf(resource);
      if (name === 'QueueUrl') return queueUrl(resource);
      const attribute = namingOf(resource.type).attributes?.[name];
      if (attribute) return attribute(nameOf(resource));
      throw new Error(`${place}: the local stack does not support the attribute ${name} of ${resource.type}`);
    },
    condition(name, place) {
      return Boolean(resolveIntrinsics(template.conditions[name], references, `${place} condition ${name}`));
    },
    findInMap: (map, first, second) => template.mappings[map]?.[first]?.[second],
    importValue(exportName, place) {
      const exported = exports.get(exportName);
      // The export belongs to a stack that does not run locally. Overrides provide the values of stacks that do not run
      // locally.
      return exported === undefined ? exportName : resolveIntrinsics(exported, references, place);
    },
  };

  return {
    template,
    nameOf,
    arnOf,
    outputsEnding: (ending) =>
      Object.fromEntries(
        Object.entries(template.outputs)
          .filter(([name]) => name.endsWith(ending))
          .map(([name, { Value }]) => [
            name.slice(0, -ending.length),
            String(resolveIntrinsics(Value, references, `output ${name}`)),
          ]),
      ),
    ofType: (...types) =>
      [...template.resources.values()].filter(
        ({ type, condition, logicalId }) =>
          types.includes(type) && (condition === undefined || references.condition(condition, logicalId)),
      ),
    properties<T>(resource: TemplateResource): T {
      const known = resolved.get(resource.logicalId);
      if (known !== undefined) return known as T;
      const value = localAddresses(resolveIntrinsics(resource.properties, references, resource.logicalId), baseUrl);
      resolved.set(resource.logicalId, value);
      return value as T;
    },
  };
}
