import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogField, AccessLogFormat, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { DeploymentSettings } from '../settings/settings.ts';
import { settingValue } from '../settings/settings.ts';

/**
 * A line of JSON a request: ids and templates of paths only, for a path itself names a person, and an address carries a token. Each value
 * stands in quotes, within which the gateway escapes it, and is `-` where there is none: `$context.error.messageString`, which
 * brings its own quotes, has none of them then.
 */
const format = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    caller: AccessLogField.contextAuthorizerPrincipalId(),
    method: AccessLogField.contextHttpMethod(),
    resource: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
    // Which of its own answers the gateway gave; its words may quote the request.
    refusal: AccessLogField.contextErrorResponseType(),
    authorizerStatus: AccessLogField.contextAuthorizerIntegrationStatus(),
    authorizerError: AccessLogField.contextAuthorizerError(),
    integrationStatus: AccessLogField.contextIntegrationStatus(),
    // CDK knows it by its name of old only.
    integrationError: '$context.integration.error',
  }),
);

/** What the gateway says of each request, and for how long it is kept. */
export const accessLog = (scope: Construct, settings: DeploymentSettings) => ({
  accessLogDestination: new LogGroupLogDestination(
    new LogGroup(scope, 'accessLog', {
      retention: settingValue(settings, 'logRetentionDays'),
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    }),
  ),
  accessLogFormat: format,
});
