import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnIPSet, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { apiStage } from '../../shared/contract/api-stage.ts';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { clientErrors } from '../../shared/domain/client-errors.ts';
import { logBlocked } from '../constructs/protection/blocked-log.ts';
import { managedGroups } from '../constructs/protection/managed-groups.ts';
import { type RateRule, rateRules, type Scope } from '../constructs/protection/rate-rules.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';
import type { ServiceStack } from './service-stack.ts';

interface ProtectionStackProps extends StackProps {
  readonly settings: DeploymentSettings;
  readonly service: ServiceStack;
}

type Statement = CfnWebACL.StatementProperty;

const asIs = [{ priority: 0, type: 'NONE' }];
const authorization = { singleHeader: { Name: 'authorization' } };

const matches = (regexString: string, fieldToMatch: CfnWebACL.FieldToMatchProperty): Statement => ({
  regexMatchStatement: { regexString, fieldToMatch, textTransformations: asIs },
});
const not = (statement: Statement): Statement => ({ notStatement: { statement } });
const allOf = (...statements: readonly Statement[]): Statement | undefined =>
  statements.length > 1 ? { andStatement: { statements: [...statements] } } : statements[0];
const anyOf = (...statements: readonly Statement[]): Statement =>
  statements.length > 1 ? { orStatement: { statements: [...statements] } } : (statements[0] as Statement);

const hasMethod = (searchString: string): Statement => ({
  byteMatchStatement: {
    ...{ searchString, fieldToMatch: { method: {} }, positionalConstraint: 'EXACTLY', textTransformations: asIs },
  },
});

/** Returns the statements that match the requests that a rate limit counts. An empty list matches all requests. */
function statementsOf(scope: Scope): Statement[] {
  if (scope.of === 'all') return [];
  if (scope.of === 'path') return [not(matches(scope.isNot, { uriPath: {} }))];
  if (scope.of === 'token') return [matches(scope.paths, { uriPath: {} }), not(matches(scope.isNot, authorization))];
  const routes = Object.entries(scope.paths).map(([method, pattern]) => ({
    andStatement: { statements: [hasMethod(method), matches(pattern, { uriPath: {} })] },
  }));
  return [anyOf(...routes)];
}

const visibility = (metricName: string) => ({
  // Request sampling is off, because sampled requests would contain tokens and paths that identify persons.
  ...{ cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false, metricName },
});

const bodyKey = 'throttled';
const { code, status } = clientErrors.throttled;
const message = 'too many requests from this client: wait a minute and try again';

export class ProtectionStack extends Stack {
  constructor(scope: Construct, id: string, { settings, service, ...props }: ProtectionStackProps) {
    super(scope, id, props);
    const trusted = this.trustedNetworks(settingValue(settings, 'trustedNetworks'));
    const limits = rateRules.map((rule) => this.limit(rule, rule.exemptsTrusted ? trusted : []));
    const managed = managedGroups.map(({ name, counted }) => ({
      name,
      overrideAction: { none: {} },
      statement: {
        managedRuleGroupStatement: {
          ...{ vendorName: 'AWS', name },
          ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        },
      },
      visibilityConfig: visibility(name),
    }));
    const { webAcl } = namesOf(settings.stage);
    const acl = new CfnWebACL(this, 'acl', {
      scope: 'REGIONAL',
      name: webAcl,
      description: 'Web ACL of the API: blocks known attacks and limits the requests of each client',
      defaultAction: { allow: {} },
      customResponseBodies: {
        [bodyKey]: { contentType: 'APPLICATION_JSON', content: JSON.stringify({ code, message }) },
      },
      rules: [...limits, ...managed].map((rule, priority) => ({ ...rule, priority })),
      visibilityConfig: visibility(webAcl),
    });
    logBlocked(this, acl, settings);
    const { partition, region } = this;
    new CfnWebACLAssociation(this, 'association', {
      resourceArn: `arn:${partition}:apigateway:${region}::/restapis/${service.api.rest.restApiId}/stages/${apiStage}`,
      webAclArn: acl.attrArn,
    }).node.addDependency(service);
  }

  /** Returns the statements that match requests from trusted networks, one statement for each address family. */
  private trustedNetworks(networks: readonly string[]): Statement[] {
    const isV6 = (network: string): boolean => network.includes(':');
    return [
      { ipAddressVersion: 'IPV4', addresses: networks.filter((one) => !isV6(one)) },
      { ipAddressVersion: 'IPV6', addresses: networks.filter(isV6) },
    ]
      .filter(({ addresses }) => addresses.length > 0)
      .map((family) => {
        const set = new CfnIPSet(this, `trusted${family.ipAddressVersion}`, { scope: 'REGIONAL', ...family });
        return { ipSetReferenceStatement: { arn: set.attrArn } };
      });
  }

  private limit({ name, by, perMinute, scope }: RateRule, except: readonly Statement[]) {
    const counted = allOf(...except.map(not), ...statementsOf(scope));
    const customKeys = [{ header: { name: 'authorization', textTransformations: asIs } }];
    return {
      name,
      statement: {
        rateBasedStatement: {
          ...{ limit: perMinute, evaluationWindowSec: 60 },
          ...(by === 'address' ? { aggregateKeyType: 'IP' } : { aggregateKeyType: 'CUSTOM_KEYS', customKeys }),
          ...(counted === undefined ? {} : { scopeDownStatement: counted }),
        },
      },
      action: {
        block: {
          customResponse: {
            ...{ responseCode: status, customResponseBodyKey: bodyKey },
            responseHeaders: [{ name: 'Retry-After', value: '60' }],
          },
        },
      },
      visibilityConfig: visibility(name),
    };
  }
}
