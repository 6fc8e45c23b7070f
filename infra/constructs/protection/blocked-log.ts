import { ArnFormat, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, type CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { type DeploymentSettings, settingValue } from '../../settings/settings.ts';
import { accept } from '../accepted-rules.ts';
import { encryptedBy, keyOf } from '../encryption.ts';

// The redacted fields may identify a person or contain a token. For a rate limit by token, AWS WAF logs the first 32
// characters of the `Authorization` header. Neither the scheme nor the beginning of a JWT's header is secret.
const redactedFields: CfnLoggingConfiguration.FieldToMatchProperty[] = [
  { uriPath: {} },
  { queryString: {} },
  ...['authorization', 'cookie', 'referer'].map((Name) => ({ singleHeader: { Name } })),
];

/** Logs each request that the web ACL blocks, because blocked requests are not in the access log. */
export function logBlocked(scope: Construct, acl: CfnWebACL, settings: DeploymentSettings): void {
  const stack = Stack.of(scope);
  // AWS WAF requires the prefix `aws-waf-logs-`. The stack id makes the log group's name unique, because the log group
  // outlives the stack.
  const beginning = `aws-waf-logs-${namesOf(settings.stage).api}`;
  const logs = new LogGroup(scope, 'refused', {
    logGroupName: Fn.join('-', [beginning, Fn.select(2, Fn.split('/', stack.stackId))]),
    retention: settingValue(settings, 'logRetentionDays'),
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    ...encryptedBy(keyOf(scope, settings.keyArn)),
  });
  accept(logs, 'keysOfAws');
  new CfnLoggingConfiguration(scope, 'logging', {
    resourceArn: acl.attrArn,
    // Does not use the log group's attribute `Arn`, because it ends in `:*`, which AWS WAF rejects.
    logDestinationConfigs: [
      stack.formatArn({
        ...{ service: 'logs', resource: 'log-group', resourceName: logs.logGroupName },
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
