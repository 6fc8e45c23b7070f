import { besideStacks, namesOf, serviceTag } from '../../../shared/contract/deployment-names.ts';
import type { DeploymentSettings } from '../../settings/settings.ts';
import { type Aws, readJson } from '../aws-cli.ts';
import { type Problem, unlessDenied } from './problem.ts';

interface Domain {
  readonly tags?: Readonly<Record<string, string>>;
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-custom-domains.html */
const domainProblems = (aws: Aws, stage: string, name: string, isNew: boolean): Promise<Problem[]> =>
  unlessDenied('apigateway:GET', async () => {
    const found = await readJson<Domain>(aws, 'apigateway', 'get-domain-name', '--domain-name', name);
    if (found === undefined) return [];
    if (!isNew && found.tags?.service === serviceTag && found.tags.stage === stage) return [];
    return [
      {
        problem: `the domain ${name} exists in API Gateway, so the stage cannot create it`,
        fix: `aws apigateway delete-domain-name --domain-name ${name}; or set baseUrl instead of domainName`,
      },
    ];
  });

interface Acls {
  readonly WebACLs?: readonly { readonly Name: string }[];
}

/** Reads one page, because the default quota is 100 web ACLs in a Region ("AWS WAF quotas", AWS WAF Developer Guide). */
const aclProblems = (aws: Aws, name: string): Promise<Problem[]> =>
  unlessDenied('wafv2:ListWebACLs', async () => {
    const found = await readJson<Acls>(aws, 'wafv2', 'list-web-acls', '--scope', 'REGIONAL', '--limit', '100');
    if (!found?.WebACLs?.some(({ Name }) => Name === name)) return [];
    return [
      {
        problem: `the web ACL ${name} exists, so the new stage cannot create it`,
        fix: 'delete the web ACL in the AWS WAF console',
      },
    ];
  });

interface PoolDomain {
  readonly DomainDescription?: { readonly Domain?: string; readonly UserPoolId?: string };
}

/** https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DescribeUserPoolDomain.html */
const poolDomainProblems = (aws: Aws, domain: string): Promise<Problem[]> =>
  unlessDenied('cognito-idp:DescribeUserPoolDomain', async () => {
    const found = await readJson<PoolDomain>(aws, 'cognito-idp', 'describe-user-pool-domain', '--domain', domain);
    const { Domain, UserPoolId } = found?.DomainDescription ?? {};
    if (Domain === undefined) return [];
    return [
      {
        problem: `the user pool ${UserPoolId} has the domain ${domain}, so the new stage cannot create it`,
        fix: `aws cognito-idp delete-user-pool-domain --domain ${domain} --user-pool-id ${UserPoolId}`,
      },
    ];
  });

/**
 * Finds existing resources with a name that the stage needs. Domains of other accounts are not found.
 * @param unmade the names of the stacks that do not exist yet
 */
export async function takenNames(
  aws: Aws,
  { stage, domainName }: Pick<DeploymentSettings, 'stage' | 'domainName'>,
  account: string,
  unmade: readonly string[],
): Promise<Problem[]> {
  const { stack, webAcl, userPoolDomain } = namesOf(stage);
  const [identityProvider, , , protection] = besideStacks(stack);
  const found = await Promise.all([
    domainName === '' ? [] : domainProblems(aws, stage, domainName, unmade.includes(stack)),
    unmade.includes(protection) ? aclProblems(aws, webAcl) : [],
    unmade.includes(identityProvider) ? poolDomainProblems(aws, `${userPoolDomain}-${account}`) : [],
  ]);
  return found.flat();
}
