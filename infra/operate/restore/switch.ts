import type { DeployedStage } from './deployed-stage.ts';
import type { Step } from './steps.ts';

/**
 * Returns the step that lets the functions use a restored resource instead of a damaged one: the setting `restored`
 * names it, and a deployment replaces the address in the functions. The stack policy is lifted for the old resource
 * only. The old resource leaves the stack, but remains in the account, so that nothing is deleted before the switch.
 *
 * The restored resource is not imported into the stack. Functions use the old one through an export, and CloudFormation
 * changes no export while a stack uses it ("Get exported outputs from a deployed CloudFormation stack", AWS
 * CloudFormation User Guide). An import must not change outputs, so the functions would need two more deployments.
 * @param output the output of the service's stack that contains the address of the resource in use
 */
export function switchStep(stage: DeployedStage, store: string, resource: string, output: string): Step {
  const { settings, shapes, data, deploy, nameInStage, functions } = stage;
  const file = `infra/stages/${settings.stage}.ts`;
  const logicalId = shapes.get(store)?.logicalId ?? '';
  // A resource that was restored before is no longer in the stack.
  const lift = data.physicalIds.has(logicalId) ? ['--lift', logicalId] : [];
  const isDone = async () => (await stage.output(output)) === resource;
  const naming = `name ${resource} in the setting restored of ${file}`;
  if (functions === undefined) {
    const isNamed = async () => false;
    return {
      does: `${naming}; then commit the file and deploy`,
      isDone: isNamed,
      run: () => nameInStage(store, resource),
    };
  }
  return {
    does: `switch to ${resource}: ${naming}, and deploy${lift.map((one) => ` ${one}`).join('')}`,
    isDone,
    async run() {
      await nameInStage(store, resource);
      await deploy(['--stage', settings.stage, ...lift]);
      if (await isDone()) return;
      throw new Error(`the functions do not use ${resource} yet: run the same command again to continue`);
    },
  };
}
