import { CloudFormationClient, DescribeStacksCommand, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { besideStacks, namesOf } from '../../../shared/contract/deployment-names.ts';
import { regionOf } from '../../settings/region.ts';
import type { RawTemplate } from '../release/assembly-stacks.ts';

// A stack in one of these states has no resources.
const isUnmade = (status: string | undefined): boolean =>
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

/** Reads deployed stacks from CloudFormation, with the credentials and region of the AWS tools. */
export function openDeployed() {
  const client = new CloudFormationClient({});
  return {
    region: () => regionOf(client),
    async isThere(StackName: string): Promise<boolean> {
      const found = await orMissing(client.send(new DescribeStacksCommand({ StackName })));
      return found !== undefined && !isUnmade(found.Stacks?.[0]?.StackStatus);
    },
    /** Returns the names and values of the stack's exports; none if the stack does not exist. */
    async exports(StackName: string): Promise<(readonly [name: string, value: string])[]> {
      const found = await orMissing(client.send(new DescribeStacksCommand({ StackName })));
      const outputs = found?.Stacks?.[0]?.Outputs ?? [];
      return outputs.flatMap(({ ExportName, OutputValue = '' }) => (ExportName ? [[ExportName, OutputValue]] : []));
    },
    /** Returns the template of the stack, or a template without resources if the stack does not exist. */
    async template(StackName: string): Promise<RawTemplate> {
      const found = await orMissing(client.send(new GetTemplateCommand({ StackName })));
      return JSON.parse(found?.TemplateBody ?? '{"Resources":{}}') as RawTemplate;
    },
  };
}

/**
 * Finds stacks that an earlier setting created. CDK ignores stacks that are no longer in the app, but they still cost money.
 * @returns a line per stack, with the command that deletes it
 */
export async function findUnusedStacks(
  stage: string,
  wanted: readonly string[],
  isThere: (stack: string) => Promise<boolean>,
): Promise<string[]> {
  const unwanted = besideStacks(namesOf(stage).stack).filter((name) => !wanted.includes(name));
  const found = await Promise.all(unwanted.map(async (name) => ({ name, is: await isThere(name) })));
  return found
    .filter(({ is }) => is)
    .map(
      ({ name }) =>
        `${name} exists, but no setting needs it. Delete it with all its data: aws cloudformation ` +
        `update-termination-protection --no-enable-termination-protection --stack-name ${name} && ` +
        `aws cloudformation delete-stack --stack-name ${name}`,
    );
}

/**
 * Returns one line if the account's quota is too small for a stage, otherwise undefined.
 * @param concurrency the stage's setting: concurrent executions
 */
export async function findConcurrencyShortage(concurrency: number): Promise<string | undefined> {
  try {
    const { AccountLimit } = await new LambdaClient({}).send(new GetAccountSettingsCommand({}));
    const quota = AccountLimit?.ConcurrentExecutions ?? 0;
    if (quota >= concurrency) return undefined;
    return (
      `the account allows ${quota} concurrent executions, but the stage needs ${concurrency}: ` +
      'request a higher quota, or lower the setting concurrency'
    );
  } catch (error) {
    // Operators can deploy without permission to read the quota.
    const reason = `(lambda:GetAccountSettings): ${(error as Error).name}`;
    return `cannot check whether the account allows ${concurrency} concurrent executions ${reason}`;
  }
}
