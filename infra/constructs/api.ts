import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  LogGroupLogDestination,
  RequestAuthorizer,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { apiStage, resourceOf } from '../../shared/contract/api-stage.ts';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { hasReplyOf, methodsOf } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import type { Bundle } from '../build/bundle.ts';
import { fileOf } from '../build/functions-list.ts';
import { reserveOf } from '../settings/check-settings.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';
import { accept } from './accepted-rules.ts';
import { encryptedBy, keyOf } from './encryption.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { grant, type Resources, settingVariables } from './grants.ts';
import { type ServiceFunction, serviceFunction } from './service-function.ts';

/**
 * The access log has one line of JSON for each request. The log contains path templates instead of paths, because a
 * path may identify a person. Queries are not logged, because a query may contain a token. The gateway escapes quoted
 * values, and writes `-` for a missing value.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    caller: AccessLogField.contextAuthorizerPrincipalId(),
    method: AccessLogField.contextHttpMethod(),
    resource: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
    // The type of an error that the gateway itself returns. The log omits the error message, because the message may
    // quote the request.
    errorType: AccessLogField.contextErrorResponseType(),
    authorizerStatus: AccessLogField.contextAuthorizerIntegrationStatus(),
    authorizerError: AccessLogField.contextAuthorizerError(),
    integrationStatus: AccessLogField.contextIntegrationStatus(),
    // CDK has a constant only for the old name of `$context.integration.error`.
    integrationError: '$context.integration.error',
  }),
);

function accessLog(scope: Construct, settings: DeploymentSettings) {
  const logs = new LogGroup(scope, 'accessLog', {
    retention: settingValue(settings, 'logRetentionDays'),
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    ...encryptedBy(keyOf(scope, settings.keyArn)),
  });
  accept(logs, 'keysOfAws');
  return { accessLogDestination: new LogGroupLogDestination(logs), accessLogFormat };
}

interface ApiProps extends Resources {
  readonly bundleOf: (file: string) => Bundle;
}

// Limits on requests per second, and burst sizes. The limits also protect the authorizer, which runs even for invalid
// tokens.
const usualLimits = { throttlingRateLimit: 2000, throttlingBurstLimit: 4000 };
const narrowLimits = { throttlingRateLimit: 50, throttlingBurstLimit: 100 };
// The limits for stages that have a web ACL. These limits can be higher, because the web ACL also limits each client.
const sharedLimits = { throttlingRateLimit: 500, throttlingBurstLimit: 1000 };

/** Returns the limits for public and expensive operations, which must not use up the account's concurrency. */
const ownLimits = (hasWaf: boolean) =>
  Object.fromEntries(
    endpoints
      .filter(({ scopes, isCostly }) => scopes.length === 0 || isCostly)
      .flatMap((endpoint) => methodsOf(endpoint).map((method) => [endpoint, method] as const))
      .map(([{ path, isCostly }, method]) => [
        `${resourceOf(path)}/${method}`,
        hasWaf && !isCostly ? sharedLimits : narrowLimits,
      ]),
  );

/** The REST API. Each endpoint has a route and a function, which has its own permissions and environment variables. */
export class Api extends Construct {
  readonly rest: RestApi;
  readonly functions: ServiceFunction[] = [];
  readonly authorize: ServiceFunction;
  /** The `baseUrl` setting, or the API's own URL if the setting is empty. Public URLs begin with the base URL. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    this.rest = new RestApi(this, 'rest', {
      restApiName: namesOf(props.settings.stage).api,
      description: 'Identity Registry and Notification Service',
      endpointTypes: [EndpointType.REGIONAL],
      disableExecuteApiEndpoint: settingValue(props.settings, 'domainOnly'),
      // Functions need request bodies as bytes, because a conversion to text would silently replace invalid UTF-8.
      binaryMediaTypes: ['*/*'],
      // All APIs of an account use the same CloudWatch role, which each new stage replaces. Other stages still need the
      // role after this stage is deleted.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: apiStage,
        ...accessLog(this, props.settings),
        tracingEnabled: settingValue(props.settings, 'tracing'),
        ...usualLimits,
        methodOptions: ownLimits(settingValue(props.settings, 'waf')),
      },
    });
    accept(this.rest, 'requestValidation', 'webAcl', 'executionLogs', 'anyIssuer', 'gatewayRole');
    accept(this.rest, 'responseCache', 'clientCertificate', 'traces');
    // Removes CDK's output for the API's URL. CDK's URL ends with the stage, but public paths already begin with the
    // stage.
    this.rest.node.tryRemoveChild('Endpoint');
    const { region, urlSuffix } = Stack.of(this);
    const own = `https://${this.rest.restApiId}.execute-api.${region}.${urlSuffix}`;
    this.baseUrl = props.settings.baseUrl === '' ? own : props.settings.baseUrl;
    const settings = { ...props.settings, baseUrl: this.baseUrl };
    addGatewayResponses(this.rest, props.settings);

    const reserved = reserveOf(props.settings);
    const authorize = serviceFunction(this, authorizer.name, {
      settings: props.settings,
      bundle: props.bundleOf(authorizer.file),
      description: `Authorizes callers. While it fails: ${authorizer.impact}`,
      timeoutSeconds: 10,
      environment: settingVariables(authorizer.reads, settings),
      impact: authorizer.impact,
      ...(reserved !== undefined && { reservedCopies: reserved }),
    });
    this.authorize = authorize;
    const tokens = new RequestAuthorizer(this, 'tokens', {
      handler: authorize.lambda,
      // The route is part of the cache key, so the authorizer's policy may depend on the route.
      identitySources: [
        IdentitySource.header('Authorization'),
        IdentitySource.context('httpMethod'),
        IdentitySource.context('resourcePath'),
      ],
      // While the result is cached, an expired or revoked token may still be accepted, for at most one minute.
      resultsCacheTtl: Duration.minutes(1),
    });

    for (const endpoint of endpoints) {
      const timeoutSeconds = endpoint.runsOn?.timeoutSeconds ?? 20;
      const serving = serviceFunction(this, endpoint.operation, {
        settings: props.settings,
        bundle: props.bundleOf(fileOf(endpoint)),
        description: `${endpoint.summary}. While it fails: ${endpoint.impact}`,
        timeoutSeconds,
        ...(endpoint.runsOn === undefined ? {} : { memoryMegabytes: endpoint.runsOn.memoryMegabytes }),
        environment: { ...settingVariables(endpoint.reads, settings), ...endpoint.runsOn?.variables },
        impact: endpoint.impact,
        ...(endpoint.hasReserve && reserved !== undefined ? { reservedCopies: reserved } : {}),
      });
      grant(serving.lambda, endpoint.uses, props);
      this.functions.push(serving);
      // Test invocations in the API Gateway console are disabled, because they would need an additional permission for
      // every method.
      const common = { allowTestInvoke: false };
      const integration = new LambdaIntegration(
        serving.lambda,
        // A streamed response may take as long as its function's timeout. Other responses may take at most 29 seconds.
        hasReplyOf(endpoint, 'bytes')
          ? { ...common, responseTransferMode: ResponseTransferMode.STREAM, timeout: Duration.seconds(timeoutSeconds) }
          : common,
      );
      for (const method of methodsOf(endpoint)) {
        const added = this.rest.root.resourceForPath(resourceOf(endpoint.path)).addMethod(method, integration, {
          ...(endpoint.scopes.length === 0 ? {} : { authorizer: tokens }),
          operationName: endpoint.operation,
        });
        if (endpoint.scopes.length === 0) accept(added, 'publicEndpoint');
      }
    }
  }
}
