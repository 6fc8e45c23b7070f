import { CloudFormationClient, DescribeStacksCommand, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import type { RawTemplate } from '../operate/release/assembly-stacks.ts';
import { regionOf } from '../settings/region.ts';

// Nothing was ever made in these, or nothing is left of it.
const isUnmade = (status: string | undefined): boolean =>
  status === 'REVIEW_IN_PROGRESS' || status === 'ROLLBACK_COMPLETE' || status === 'DELETE_COMPLETE';

/** What CloudFormation answers; undefined of a stack that is not there. */
const orMissing = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
};

/** Asks CloudFormation, by the credentials and region of the AWS tools, what is deployed. */
export function openDeployed() {
  const client = new CloudFormationClient({});
  return {
    /** Where it is, for whoever is asked. */
    region: () => regionOf(client),
    /** Whether a deployment of this stack has ever ended well. */
    async isThere(StackName: string): Promise<boolean> {
      const found = await orMissing(client.send(new DescribeStacksCommand({ StackName })));
      return found !== undefined && !isUnmade(found.Stacks?.[0]?.StackStatus);
    },
    /** What the stack is made of; of one that is not there, nothing. */
    async template(StackName: string): Promise<RawTemplate> {
      const found = await orMissing(client.send(new GetTemplateCommand({ StackName })));
      return JSON.parse(found?.TemplateBody ?? '{"Resources":{}}') as RawTemplate;
    },
  };
}
