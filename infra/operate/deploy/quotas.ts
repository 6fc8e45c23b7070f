import { GetAccountSummaryCommand, type IAMClient } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { GetAccountCommand, type SESv2Client } from '@aws-sdk/client-sesv2';
import { neverReserved } from '../../../shared/contract/concurrency.ts';
import { type DeploymentSettings, settingValue } from '../../settings/settings.ts';
import type { AssemblyStack } from '../release/assembly-stacks.ts';
import { type Problem, unlessDenied } from './problem.ts';

/** The AWS clients that read quotas. */
export interface QuotaClients {
  readonly iam: Pick<IAMClient, 'send'>;
  readonly lambda: Pick<LambdaClient, 'send'>;
  readonly ses: Pick<SESv2Client, 'send'>;
}

/** The resources that new stacks add to the account. */
interface Added {
  readonly roles: number;
  readonly reservedExecutions: number;
}

function addedBy(stacks: readonly AssemblyStack[]): Added {
  const resources = stacks.flatMap(({ template }) => Object.values(template.Resources));
  const reserved = resources.map(({ Properties = {} }) => Number(Properties.ReservedConcurrentExecutions ?? 0));
  return {
    roles: resources.filter(({ Type }) => Type === 'AWS::IAM::Role').length,
    reservedExecutions: reserved.reduce((sum, one) => sum + one, 0),
  };
}

const tooLow = (has: number | undefined, needs: number, what: string, setting: string, fix: string): Problem[] =>
  has === undefined || has >= needs
    ? []
    : [{ problem: `the account's limit for ${what} is ${has}, but ${setting} needs ${needs}`, fix }];

const more = 'request a higher quota in the Service Quotas console:';

/** Compares the quota for concurrent executions with the stage's needs ("GetAccountSettings", Lambda API). */
async function lambdaQuotas({ lambda }: QuotaClients, concurrency: number, added: Added): Promise<Problem[]> {
  const { AccountLimit: limit } = await lambda.send(new GetAccountSettingsCommand({}));
  const fix = `${more} AWS Lambda, Concurrent executions; or lower the concurrency setting`;
  const unreserved = limit?.UnreservedConcurrentExecutions;
  return [
    ...tooLow(limit?.ConcurrentExecutions, concurrency, 'concurrent executions', 'the concurrency setting', fix),
    ...(added.reservedExecutions === 0
      ? []
      : tooLow(
          unreserved,
          added.reservedExecutions + neverReserved,
          'executions that no function reserves',
          `a new stage, which reserves ${added.reservedExecutions} and leaves ${neverReserved},`,
          fix,
        )),
  ];
}

// SES returns -1 if there is no limit ("SendQuota", Amazon SES API v2 Reference).
const limitOf = (quota: number | undefined): number | undefined => (quota === -1 ? undefined : quota);

/** Compares the sending quotas in the Region with the stage's settings ("GetAccount", Amazon SES API v2 Reference). */
async function mailQuotas({ ses }: QuotaClients, settings: DeploymentSettings): Promise<Problem[]> {
  const { SendQuota: quota } = await ses.send(new GetAccountCommand({}));
  const rules = [
    ['emailsPerSecond', quota?.MaxSendRate, 'emails per second'],
    ['emailsPerDay', quota?.Max24HourSend, 'emails in 24 hours'],
  ] as const;
  return rules.flatMap(([setting, allowed, what]) => {
    const fix = `request a higher sending quota in the SES console, or lower the ${setting} setting`;
    return tooLow(limitOf(allowed), settingValue(settings, setting), what, `the ${setting} setting`, fix);
  });
}

/**
 * Compares the quota for IAM roles with the number of roles in the account and in new stacks ("GetAccountSummary", IAM
 * API).
 */
async function roleQuotas({ iam }: QuotaClients, { roles }: Added): Promise<Problem[]> {
  const { SummaryMap: { Roles = 0, RolesQuota } = {} } = await iam.send(new GetAccountSummaryCommand({}));
  const fix = `${more} IAM, Roles per account; or delete unused roles`;
  return tooLow(RolesQuota, Roles + roles, 'IAM roles', 'the existing roles with the roles of the stage', fix);
}

/**
 * Returns the quotas that are too low for the stage, and the quotas that the credentials cannot read.
 * @param unmade the names of the stacks that do not exist yet
 */
export async function findQuotaProblems(
  clients: QuotaClients,
  settings: DeploymentSettings,
  stacks: readonly AssemblyStack[],
  unmade: readonly string[],
) {
  const added = addedBy(stacks.filter(({ name }) => unmade.includes(name)));
  const concurrency = settingValue(settings, 'concurrency');
  const found = await Promise.all([
    unlessDenied('lambda:GetAccountSettings', () => lambdaQuotas(clients, concurrency, added)),
    unlessDenied('ses:GetAccount', () => mailQuotas(clients, settings)),
    ...(added.roles === 0 ? [] : [unlessDenied('iam:GetAccountSummary', () => roleQuotas(clients, added))]),
  ]);
  return found.flat();
}
