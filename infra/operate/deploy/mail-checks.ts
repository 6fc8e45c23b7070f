import {
  GetAccountCommand,
  GetConfigurationSetCommand,
  GetEmailIdentityCommand,
  type GetEmailIdentityCommandOutput,
  type SESv2Client,
} from '@aws-sdk/client-sesv2';
import { type Problem, unlessDenied } from './problem.ts';

type Ses = Pick<SESv2Client, 'send'>;

const sandboxGuide = 'https://docs.aws.amazon.com/ses/latest/dg/request-production-access.html';

async function accountProblems(ses: Ses): Promise<Problem[]> {
  const { ProductionAccessEnabled, SendingEnabled, EnforcementStatus } = await ses.send(new GetAccountCommand({}));
  const status = EnforcementStatus ?? 'HEALTHY';
  return [
    ...(ProductionAccessEnabled
      ? []
      : [
          {
            problem: 'the account is in the SES sandbox, which sends emails to verified addresses only',
            fix: `request production access: ${sandboxGuide}`,
          },
        ]),
    ...(SendingEnabled && status === 'HEALTHY'
      ? []
      : [
          {
            problem: `SES does not send emails as usual: ${status}`,
            fix: 'see the reputation page in the SES console',
          },
        ]),
  ];
}

/** Returns undefined if the resource does not exist. */
const orMissing = async <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: Error) => {
    if (error.name === 'NotFoundException') return undefined;
    throw error;
  });

/**
 * Returns the address, its domain and all parent domains, because emails may be sent from any subdomain of a verified
 * domain.
 */
function identitiesOf(sender: string): string[] {
  const labels = sender.slice(sender.lastIndexOf('@') + 1).split('.');
  return [sender, ...labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))];
}

/** https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html */
async function senderProblems(ses: Ses, sender: string): Promise<Problem[]> {
  let found: GetEmailIdentityCommandOutput | undefined;
  for (const EmailIdentity of identitiesOf(sender)) {
    found ??= await orMissing(ses.send(new GetEmailIdentityCommand({ EmailIdentity })));
  }
  if (!found?.VerifiedForSendingStatus)
    return [
      {
        problem: 'SES has not verified the sender (setting emailSender) or its domain',
        fix: 'verify the domain as in "The sender" in infra/README.md',
      },
    ];
  return found.DkimAttributes?.Status === 'SUCCESS'
    ? []
    : [
        {
          problem: 'emails of the sender (setting emailSender) have no DKIM signature',
          fix: 'create the three DNS records of "The sender" in infra/README.md',
        },
      ];
}

/** Checks that the configuration set of a new stage does not exist yet. */
export const nameProblems = (ses: Ses, ConfigurationSetName: string): Promise<Problem[]> =>
  unlessDenied('ses:GetConfigurationSet', async () => {
    const found = await orMissing(ses.send(new GetConfigurationSetCommand({ ConfigurationSetName })));
    if (found === undefined) return [];
    return [
      {
        problem: `the configuration set ${ConfigurationSetName} exists, so the new stage cannot create it`,
        fix: `aws sesv2 delete-configuration-set --configuration-set-name ${ConfigurationSetName}`,
      },
    ];
  });

/** Checks that SES accepts emails from the sender to any address. */
export async function mailProblems(ses: Ses, sender: string): Promise<Problem[]> {
  return [
    ...(await unlessDenied('ses:GetAccount', () => accountProblems(ses))),
    ...(await unlessDenied('ses:GetEmailIdentity', () => senderProblems(ses, sender))),
  ];
}
