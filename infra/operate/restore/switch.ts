import { GetStackPolicyCommand, SetStackPolicyCommand } from '@aws-sdk/client-cloudformation';
import { settingValue } from '../../settings/settings.ts';
import { dataStackOf } from '../deploy/place.ts';
import { stackPolicy } from '../deploy/stack-policy.ts';
import type { DeployedStage } from './deployed-stage.ts';
import type { Step } from './steps.ts';

/**
 * Returns the step that makes the functions use a restored resource instead of the old resource. The step adds the new
 * resource to the `restored` setting and deploys. The deployment lifts the stack policy only for the old resource. The
 * deployment removes the old resource from the stack, but the resource remains in the account.
 *
 * The restored resource is not imported into the stack. The functions use the old resource through an export, and
 * CloudFormation does not modify an export that a stack imports ("Fn::ImportValue", AWS CloudFormation Template
 * Reference Guide). An import can change only the imported resource ("cdk import", AWS CDK Developer Guide). The stack
 * would therefore need one deployment before the import and another deployment after it.
 * @param output the output of the service stack that contains the name or ARN of the resource in use
 */
export function switchStep(stage: DeployedStage, store: string, resource: string, output: string): Step {
  const { settings, shapes, data, deploy, nameInStage, functions } = stage;
  const file = `infra/stages/${settings.stage}.ts`;
  const logicalId = shapes.get(store)?.logicalId ?? '';
  // The stack no longer contains a resource that was replaced in an earlier restore.
  const lift = data.physicalIds.has(logicalId) ? ['--lift', logicalId] : [];
  // Alarms on the stopped functions must not roll back the deployment.
  const options = [...lift, '--monitor', '0'];
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
    does: `switch to ${resource}: ${naming}, and deploy ${options.join(' ')}`,
    isDone,
    async run() {
      await nameInStage(store, resource);
      await deploy(['--stage', settings.stage, ...options]);
      if (await isDone()) return;
      throw new Error(`the functions do not use ${resource} yet: run the same command again to continue`);
    },
  };
}

/** Returns the step that sets the stack policy again if an earlier deployment ended while the policy was lifted. */
export function policySteps({ clients, settings, functions }: DeployedStage): Step[] {
  if (functions === undefined || !settingValue(settings, 'production')) return [];
  const StackName = dataStackOf(settings.stage);
  return [
    {
      does: `set the stack policy of ${StackName} again`,
      async isDone() {
        const found = await clients.cloudFormation.send(new GetStackPolicyCommand({ StackName }));
        return found.StackPolicyBody === stackPolicy();
      },
      async run() {
        await clients.cloudFormation.send(new SetStackPolicyCommand({ StackName, StackPolicyBody: stackPolicy() }));
      },
    },
  ];
}
