import { besideStacks, namesOf } from '../../../shared/contract/deployment-names.ts';
import type { AssemblyStack, RawTemplate } from '../release/assembly-stacks.ts';
import type { openDeployed } from './deployed.ts';

const found = (template: RawTemplate, pattern: RegExp): string[] =>
  [...JSON.stringify(template).matchAll(pattern)].map(([, name = '']) => name);
const importsOf = (template: RawTemplate) => found(template, /"Fn::ImportValue":"([^"]+)"/g);
const exportsOf = (template: RawTemplate) => found(template, /"Export":\{"Name":"([^"]+)"\}/g);

/** Values of the `keptExports` setting. */
export interface KeptExports {
  /** The exports to keep during the update, because deployed stacks still import them. */
  readonly during: readonly string[];
  /** The exports to keep after the update, because stacks that are no longer needed still import them. */
  readonly after: readonly string[];
}

/**
 * Finds the exports that an update must keep, because CloudFormation does not remove or change an export while a stack
 * imports it ("Fn::ImportValue", AWS CloudFormation Template Reference Guide). An output with the same name and value
 * can replace an export that a stack imports (github.com/aws/aws-cdk/issues/5819). One deployment can therefore remove
 * both a function and the function's alarm.
 */
export async function findKeptExports(
  stage: string,
  stacks: readonly AssemblyStack[],
  deployed: Pick<ReturnType<typeof openDeployed>, 'template' | 'exports'>,
): Promise<KeptExports> {
  const { stack } = namesOf(stage);
  const wanted = stacks.map(({ name }) => name);
  const remaining = new Set(stacks.flatMap(({ template }) => exportsOf(template)));
  const imported = new Map<string, boolean>();
  for (const name of [stack, ...besideStacks(stack)]) {
    for (const one of importsOf(await deployed.template(name))) {
      const [producer = ''] = one.split(':');
      if (remaining.has(one) || !wanted.includes(producer)) continue;
      imported.set(one, imported.get(one) === true || !wanted.includes(name));
    }
  }
  const exports = new Map((await Promise.all(wanted.map(deployed.exports))).flat());
  const entryOf = (name: string): string => `${name}=${exports.get(name)}`;
  return {
    during: [...imported.keys()].map(entryOf),
    after: [...imported].filter(([, isUnwanted]) => isUnwanted).map(([name]) => entryOf(name)),
  };
}
