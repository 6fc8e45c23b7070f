import { ACMClient } from '@aws-sdk/client-acm';
import { IAMClient } from '@aws-sdk/client-iam';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { leftAsExample } from '../../settings/check-settings.ts';
import type { DeploymentSettings } from '../../settings/settings.ts';
import { type Aws, openAws } from '../aws-cli.ts';
import type { AssemblyStack } from '../release/assembly-stacks.ts';
import { keyProblems } from './key-checks.ts';
import { mailProblems, nameProblems } from './mail-checks.ts';
import { takenNames } from './name-checks.ts';
import type { Place } from './place.ts';
import type { Problem } from './problem.ts';
import { findQuotaProblems, type QuotaClients } from './quotas.ts';
import { findSizeProblems } from './sizes.ts';
import { certificateProblems, issuerProblems, type Read } from './web-checks.ts';

export interface Clients extends QuotaClients {
  readonly aws: Aws;
  readonly acm: Pick<ACMClient, 'send'>;
}

export const openClients = (region: string): Clients => ({
  aws: openAws(region),
  acm: new ACMClient({ region }),
  iam: new IAMClient({ region }),
  lambda: new LambdaClient({ region }),
  ses: new SESv2Client({ region }),
});

export interface Rehearsal {
  readonly settings: DeploymentSettings;
  readonly place: Place;
  readonly clients: Clients;
  readonly stacks: readonly AssemblyStack[];
  /** The names of the stacks that do not exist yet. */
  readonly unmade: readonly string[];
  /** Returns the CloudFormation status of a stack; undefined if the stack does not exist. */
  readonly statusOf: (stack: string) => Promise<string | undefined>;
  readonly read: Read;
  readonly now: () => number;
}

/** The default name of the stack that `cdk bootstrap` creates. */
const bootstrapStack = 'CDKToolkit';

async function stackProblems({ place, stacks, statusOf }: Rehearsal): Promise<Problem[]> {
  const found = await Promise.all(
    stacks.map(async ({ name }): Promise<Problem[]> => {
      const status = await statusOf(name);
      if (status === undefined || /^(?:CREATE|UPDATE|ROLLBACK|UPDATE_ROLLBACK|IMPORT)_COMPLETE$/.test(status))
        return [];
      return [
        {
          problem: `${name} cannot be updated: ${status}`,
          fix: `wait, or repair the stack in the CloudFormation console`,
        },
      ];
    }),
  );
  const isBootstrapped = (await statusOf(bootstrapStack)) !== undefined;
  const fix = `npx cdk bootstrap aws://${place.account}/${place.region}`;
  return [...found.flat(), ...(isBootstrapped ? [] : [{ problem: 'the Region is not prepared for CDK', fix }])];
}

/** Checks everything that can be checked before a deployment, without changing anything. */
export async function findProblems(rehearsal: Rehearsal): Promise<Problem[]> {
  const { settings, place, clients, stacks, unmade, read, now } = rehearsal;
  const names = namesOf(settings.stage);
  const found = await Promise.all([
    leftAsExample(settings).map((name) => ({
      problem: `setting ${name} still has the value of the example`,
      fix: `change it in infra/stages/${settings.stage}.ts`,
    })),
    stackProblems(rehearsal),
    findQuotaProblems(clients, settings, stacks, unmade),
    mailProblems(clients.ses, settings.emailSender),
    settings.identityProvider === '' ? issuerProblems(read, settings) : [],
    certificateProblems(clients.acm, settings, now()),
    unmade.includes(names.stack) ? nameProblems(clients.ses, names.configurationSet) : [],
    takenNames(clients.aws, settings, place.account, unmade),
    keyProblems(clients.aws, settings.keyArn, place),
    findSizeProblems(stacks),
  ]);
  return found.flat();
}
