import {
  type CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  SetStackPolicyCommand,
} from '@aws-sdk/client-cloudformation';
import { besideStacks, namesOf } from '../../../shared/contract/deployment-names.ts';
import { filterAsync } from '../filter-async.ts';
import type { RawTemplate } from '../release/assembly-stacks.ts';

// Returns true if a stack with this status has no resources.
const isUnmade = (status: string): boolean =>
  status === 'REVIEW_IN_PROGRESS' || status === 'ROLLBACK_COMPLETE' || status === 'DELETE_COMPLETE';

/** Returns CloudFormation's response; undefined if the stack does not exist. */
const orMissing = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
};

/** Reads the deployed stacks of a Region from CloudFormation. */
export function openDeployed(client: CloudFormationClient) {
  const describe = async (StackName: string) =>
    (await orMissing(client.send(new DescribeStacksCommand({ StackName }))))?.Stacks?.[0];
  const statusOf = async (stack: string): Promise<string | undefined> => (await describe(stack))?.StackStatus;
  const outputsOf = async (stack: string) => (await describe(stack))?.Outputs ?? [];
  return {
    /** Returns the status of a stack; undefined if the stack does not exist. */
    statusOf,
    async isThere(stack: string): Promise<boolean> {
      const status = await statusOf(stack);
      return status !== undefined && !isUnmade(status);
    },
    /** Replaces the stack policy, which restricts updates. CloudFormation cannot remove a stack policy. */
    async setPolicy(StackName: string, StackPolicyBody: string): Promise<void> {
      await client.send(new SetStackPolicyCommand({ StackName, StackPolicyBody }));
    },
    /** Returns the names and values of the stack's exports; an empty list if the stack does not exist. */
    async exports(StackName: string): Promise<(readonly [name: string, value: string])[]> {
      const outputs = await outputsOf(StackName);
      return outputs.flatMap(({ ExportName, OutputValue = '' }) => (ExportName ? [[ExportName, OutputValue]] : []));
    },
    /** Returns the value of an output; undefined if the stack or the output does not exist. */
    async output(stack: string, key: string): Promise<string | undefined> {
      return (await outputsOf(stack)).find(({ OutputKey }) => OutputKey === key)?.OutputValue;
    },
    /** Returns the template of the stack, or a template without resources if the stack does not exist. */
    async template(StackName: string): Promise<RawTemplate> {
      const found = await orMissing(client.send(new GetTemplateCommand({ StackName })));
      return JSON.parse(found?.TemplateBody ?? '{"Resources":{}}') as RawTemplate;
    },
  };
}

/**
 * Finds deployed stacks that the settings no longer require. CDK ignores stacks that are no longer needed, but these
 * stacks still cost money.
 * @returns one line for each stack, with the command that deletes it
 */
export async function findUnusedStacks(
  stage: string,
  wanted: readonly string[],
  isThere: (stack: string) => Promise<boolean>,
): Promise<string[]> {
  const unwanted = besideStacks(namesOf(stage).stack).filter((name) => !wanted.includes(name));
  return (await filterAsync(unwanted, isThere)).map(
    (name) =>
      `${name} exists, but no setting needs it. To delete this stack with all its data, run: aws cloudformation ` +
      `update-termination-protection --no-enable-termination-protection --stack-name ${name} && ` +
      `aws cloudformation delete-stack --stack-name ${name}`,
  );
}
