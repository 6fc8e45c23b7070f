import type { AssemblyStack, RawResource } from '../release/assembly-stacks.ts';
import type { Problem } from './problem.ts';

interface Limit {
  readonly what: string;
  readonly most: number;
  readonly fix: string;
}

// Source: "CloudFormation quotas" in the AWS CloudFormation User Guide,
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
const ofStack = {
  template: { what: 'bytes of the template', most: 1_048_576, fix: 'move resources to another stack' },
  resources: { what: 'resources', most: 500, fix: 'move resources to another stack' },
  outputs: { what: 'outputs', most: 200, fix: 'remove outputs, or move resources to the stack that uses them' },
} as const satisfies Record<string, Limit>;

// White space in a policy does not count toward the limit. Sources: "IAM and AWS STS quotas" in the IAM User Guide,
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html, and "Lambda quotas" in the AWS Lambda
// Developer Guide.
const inlinePolicies: Limit = {
  what: 'characters of inline policies',
  most: 10_240,
  fix: 'grant with fewer statements',
};
const variables: Limit = { what: 'characters of environment variables', most: 4096, fix: 'shorten the settings' };

/** A placeholder with the assumed length of a value that CloudFormation inserts. Most such values are ARNs. */
const inserted = 'x'.repeat(100);

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one) => {
    const [intrinsic, ...others] = typeof one === 'object' && one !== null ? Object.entries(one) : [];
    if (intrinsic === undefined || others.length > 0) return one;
    const [name, argument] = intrinsic as [string, unknown];
    if (name === 'Fn::Join') return (argument as [string, unknown[]])[1].map(textOf).join('');
    return name === 'Ref' || name.startsWith('Fn::') ? inserted : one;
  });

const over = (name: string, size: number, { what, most, fix }: Limit): Problem[] =>
  size <= most ? [] : [{ problem: `${name} has ${size} ${what}, but AWS allows ${most}`, fix }];

interface PolicyProperties {
  readonly PolicyDocument?: unknown;
  readonly Roles?: readonly { readonly Ref?: string }[];
}

/** Returns the total size of the inline policies of each role, by logical id. */
function policySizes(resources: Readonly<Record<string, RawResource>>): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { Type, Properties = {} } of Object.values(resources)) {
    const { PolicyDocument, Roles = [] } = Properties as PolicyProperties;
    if (Type !== 'AWS::IAM::Policy') continue;
    for (const { Ref = '' } of Roles) sizes.set(Ref, (sizes.get(Ref) ?? 0) + textOf(PolicyDocument).length);
  }
  return sizes;
}

/**
 * Returns the stacks, roles and functions that exceed AWS limits. If CloudFormation inserts values, the size is an
 * estimate.
 */
export const findSizeProblems = (stacks: readonly Pick<AssemblyStack, 'name' | 'template'>[]): Problem[] =>
  stacks.flatMap(({ name, template }) => {
    const functions = Object.entries(template.Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
    return [
      ...over(name, JSON.stringify(template, undefined, 1).length, ofStack.template),
      ...over(name, Object.keys(template.Resources).length, ofStack.resources),
      ...over(name, Object.keys(template.Outputs ?? {}).length, ofStack.outputs),
      ...[...policySizes(template.Resources)].flatMap(([id, size]) => over(`${name} ${id}`, size, inlinePolicies)),
      ...functions.flatMap(([id, { Properties = {} }]) =>
        over(`${name} ${id}`, textOf(Properties.Environment ?? {}).length, variables),
      ),
    ];
  });
