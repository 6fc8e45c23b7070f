import { IAMClient, ListAccountAliasesCommand } from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { dataStack, namesOf } from '../../../shared/contract/deployment-names.ts';
import { regionOf } from '../../settings/region.ts';
import type { DeploymentSettings } from '../../settings/settings.ts';
import { OptionError } from '../command-line.ts';
import type { DeployOptions } from './options.ts';

/** Returns the name of the stack that contains the tables, buckets and secrets of a stage. */
export const dataStackOf = (stage: string): string => dataStack(namesOf(stage).stack);

/** The account and Region of the credentials. */
export interface Place {
  readonly account: string;
  /** The account alias; empty if the account has no alias, or if the credentials cannot read the alias. */
  readonly alias: string;
  readonly region: string;
}

export const textOf = ({ account, alias, region }: Place): string =>
  `account ${account}${alias === '' ? '' : ` (${alias})`}, ${region}`;

type Wanted = Pick<DeploymentSettings, 'stage' | 'account' | 'region'>;

function checkPlace(place: Place, { stage, account, region }: Wanted, given = place.account): void {
  const rules = [
    [place.account, account, `the stage ${stage} belongs to the account`],
    [place.account, given, 'the option --account is'],
    [place.region, region, `the stage ${stage} belongs to the Region`],
  ] as const;
  for (const [is, wanted, rule] of rules) {
    if (wanted !== '' && wanted !== is)
      throw new OptionError(`the credentials are for ${textOf(place)}, but ${rule} ${wanted}: nothing was changed`);
  }
}

/**
 * Returns the account and Region of the AWS credentials, which must be those of the stage. `GetCallerIdentity` needs no
 * permission (AWS STS API Reference). If no Region is configured, the stage's Region is used.
 * @param given the account in the option --account
 * @throws OptionError with one line that names the actual and the expected place
 */
export async function readPlace(stage: Wanted, given?: string): Promise<Place> {
  const client = new STSClient({});
  const region = stage.region === '' ? await regionOf(client) : await regionOf(client).catch(() => stage.region);
  const { Account = '' } = await new STSClient({ region }).send(new GetCallerIdentityCommand({}));
  const aliases = new IAMClient({ region }).send(new ListAccountAliasesCommand({}));
  const { AccountAliases: [alias = ''] = [] } = await aliases.catch(() => ({ AccountAliases: [] }));
  const place = { account: Account, alias, region };
  checkPlace(place, stage, given);
  return place;
}

/**
 * Checks that the operator has confirmed a new production stage. Without this check, wrong credentials would create a
 * second, empty registry in another account.
 * @throws OptionError with one line that states the required option
 */
export function checkFirst({ stage, first }: Pick<DeployOptions, 'stage' | 'first'>, place: Place): void {
  const wanted = `${stage}-${place.account}`;
  if (first === wanted) return;
  throw new OptionError(
    `there is no ${dataStackOf(stage)} in ${textOf(place)}: to create a new, empty registry there, add --first ${wanted}`,
  );
}
