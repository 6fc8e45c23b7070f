import { ArnFormat, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, type CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { type DeploymentSettings, settingValue } from '../../settings/settings.ts';

// What of a request may name a person or hold a token: a path has a UIN in it, a query names and the tokens of mails. Of a limit
// by token AWS WAF writes the first 32 characters of `Authorization`, too: the scheme and the header of a JWT, which are no secret.
const redactedFields: CfnLoggingConfiguration.FieldToMatchProperty[] = [
  { uriPath: {} },
  { queryString: {} },
  ...['authorization', 'cookie', 'referer'].map((Name) => ({ singleHeader: { Name } })),
];

/** Keeps, of what the web ACL refuses and of nothing else, which rule refused whom: the access log never hears of it. */
export function logRefused(scope: Construct, acl: CfnWebACL, settings: DeploymentSettings): void {
  const stack = Stack.of(scope);
  // AWS WAF takes no other beginning. The stack's id ends the name: the group outlives the stack, and the next one makes its own.
  const beginning = `aws-waf-logs-${namesOf(settings.stage).api}`;
  const { logGroupName } = new LogGroup(scope, 'refused', {
    logGroupName: Fn.join('-', [beginning, Fn.select(2, Fn.split('/', stack.stackId))]),
    retention: settingValue(settings, 'logRetentionDays'),
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  new CfnLoggingConfiguration(scope, 'logging', {
    resourceArn: acl.attrArn,
    // The group's own attribute ends in `:*`, which AWS WAF does not take.
    logDestinationConfigs: [
      stack.formatArn({
        ...{ service: 'logs', resource: 'log-group', resourceName: logGroupName },
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [{ Behavior: 'KEEP', Requirement: 'MEETS_ANY', Conditions: [{ ActionCondition: { Action: 'BLOCK' } }] }],
    },
    redactedFields,
  });
}
