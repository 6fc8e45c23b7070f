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
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { answers, methodsOf } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { resourceOf, stage } from '../../shared/contract/stage.ts';
import type { Bundle } from '../bundle.ts';
import { fileOf } from '../functions-list.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { grant, type Resources, settingVariables } from './grants.ts';
import { type ServiceFunction, serviceFunction } from './service-function.ts';

interface ApiProps extends Resources {
  readonly bundleOf: (file: string) => Bundle;
}

// Ids and templates of paths only: a path itself names a person.
const accessLog = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    caller: AccessLogField.contextAuthorizerPrincipalId(),
    method: AccessLogField.contextHttpMethod(),
    resource: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
  }),
);

// By second, and at once. Also a request whose token nobody knows takes the authorizer's time.
const usualLimits = { throttlingRateLimit: 2000, throttlingBurstLimit: 4000 };
const narrowLimits = { throttlingRateLimit: 50, throttlingBurstLimit: 100 };

// Where nobody has to show a token, or one request costs much: they may not take the account's functions away from the others.
const ownLimits = Object.fromEntries(
  endpoints
    .filter(({ scopes, isCostly }) => scopes.length === 0 || isCostly)
    .flatMap((endpoint) => methodsOf(endpoint).map((method) => `${resourceOf(endpoint.path)}/${method}`))
    .map((route) => [route, narrowLimits]),
);

/** The REST API: a route, a function, its grants and its variables for each endpoint. */
export class Api extends Construct {
  readonly rest: RestApi;
  readonly functions: ServiceFunction[] = [];
  readonly authorize: ServiceFunction;
  /** The setting's, or else that of the API itself: public paths follow it. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    this.rest = new RestApi(this, 'rest', {
      restApiName: 'identity-registry',
      description: 'Identity Registry and Notification Service',
      endpointTypes: [EndpointType.REGIONAL],
      // Bodies reach the functions byte for byte: as text, what is not UTF-8 would be replaced without a word.
      binaryMediaTypes: ['*/*'],
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: stage,
        accessLogDestination: new LogGroupLogDestination(
          new LogGroup(this, 'accessLog', { retention: RetentionDays.ONE_YEAR, removalPolicy: RemovalPolicy.RETAIN }),
        ),
        accessLogFormat: accessLog,
        ...usualLimits,
        methodOptions: ownLimits,
      },
    });
    // CDK's own output is the address of the stage, after which public paths would say it twice.
    this.rest.node.tryRemoveChild('Endpoint');
    const { region, urlSuffix } = Stack.of(this);
    const own = `https://${this.rest.restApiId}.execute-api.${region}.${urlSuffix}`;
    this.baseUrl = props.settings.baseUrl === '' ? own : props.settings.baseUrl;
    const settings = { ...props.settings, baseUrl: this.baseUrl };
    addGatewayResponses(this.rest, props.settings);

    const authorize = serviceFunction(this, authorizer.name, {
      bundle: props.bundleOf(authorizer.file),
      description: `Recognises callers. While it fails: ${authorizer.impact}`,
      timeoutSeconds: 10,
      environment: settingVariables(authorizer.reads, settings),
      impact: authorizer.impact,
    });
    this.authorize = authorize;
    const tokens = new RequestAuthorizer(this, 'tokens', {
      handler: authorize.lambda,
      // The answer is kept by these three, so it may speak of one route.
      identitySources: [
        IdentitySource.header('Authorization'),
        IdentitySource.context('httpMethod'),
        IdentitySource.context('resourcePath'),
      ],
      // A token that expires or is revoked meanwhile still works for so long.
      resultsCacheTtl: Duration.minutes(1),
    });

    for (const endpoint of endpoints) {
      const timeoutSeconds = endpoint.runsOn?.timeoutSeconds ?? 20;
      const serving = serviceFunction(this, endpoint.operation, {
        bundle: props.bundleOf(fileOf(endpoint)),
        description: `${endpoint.summary}. While it fails: ${endpoint.impact}`,
        timeoutSeconds,
        ...(endpoint.runsOn === undefined ? {} : { memoryMegabytes: endpoint.runsOn.memoryMegabytes }),
        environment: { ...settingVariables(endpoint.reads, settings), ...endpoint.runsOn?.variables },
        impact: endpoint.impact,
      });
      grant(serving.lambda, endpoint.uses, props);
      this.functions.push(serving);
      // The console's test button costs a permission for every method.
      const common = { allowTestInvoke: false };
      const integration = new LambdaIntegration(
        serving.lambda,
        // What streams may last as long as its function; anything else, 29 seconds.
        answers(endpoint, 'bytes')
          ? { ...common, responseTransferMode: ResponseTransferMode.STREAM, timeout: Duration.seconds(timeoutSeconds) }
          : common,
      );
      for (const method of methodsOf(endpoint)) {
        this.rest.root.resourceForPath(resourceOf(endpoint.path)).addMethod(method, integration, {
          ...(endpoint.scopes.length === 0 ? {} : { authorizer: tokens }),
          operationName: endpoint.operation,
        });
      }
    }
  }
}
