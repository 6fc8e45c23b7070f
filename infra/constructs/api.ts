import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  RequestAuthorizer,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { apiStage, resourceOf } from '../../shared/contract/api-stage.ts';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { answers, methodsOf } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import type { Bundle } from '../build/bundle.ts';
import { fileOf } from '../build/functions-list.ts';
import { reserveOf } from '../reserve.ts';
import { settingValue } from '../settings/settings.ts';
import { accessLog } from './access-log.ts';
import { acknowledge } from './acknowledge.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { grant, type Resources, settingVariables } from './grants.ts';
import { type ServiceFunction, serviceFunction } from './service-function.ts';

interface ApiProps extends Resources {
  readonly bundleOf: (file: string) => Bundle;
}

// By second, and at once. Also a request whose token nobody knows takes the authorizer's time.
const usualLimits = { throttlingRateLimit: 2000, throttlingBurstLimit: 4000 };
const narrowLimits = { throttlingRateLimit: 50, throttlingBurstLimit: 100 };
// Where the web ACL limits each client, one cannot take it all.
const sharedLimits = { throttlingRateLimit: 500, throttlingBurstLimit: 1000 };

/** Where nobody has to show a token, or one request costs much: they may not take the account's functions away from the others. */
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
      restApiName: namesOf(props.settings.stage).api,
      description: 'Identity Registry and Notification Service',
      endpointTypes: [EndpointType.REGIONAL],
      disableExecuteApiEndpoint: settingValue(props.settings, 'domainOnly'),
      // Bodies reach the functions byte for byte: as text, what is not UTF-8 would be replaced without a word.
      binaryMediaTypes: ['*/*'],
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
    acknowledge(this.rest, {
      'AwsSolutions-APIG2': 'functions check requests by the contract, and say what is wrong in an Error object',
      'AwsSolutions-APIG3': 'the setting waf puts one before it, in a stack of its own',
      'AwsSolutions-APIG6': 'the access log has every request; execution logs would quote paths, which name persons',
      'AwsSolutions-COG4': 'the authorizer takes the tokens of any OpenID Connect issuer',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        "the account's one role of API Gateway, which may serve other APIs, too",
      'Serverless-APIGWXrayEnabled': 'traces cost by the request: they are for who asks for them',
    });
    // CDK's own output is the address of the stage, after which public paths would say it twice.
    this.rest.node.tryRemoveChild('Endpoint');
    const { region, urlSuffix } = Stack.of(this);
    const own = `https://${this.rest.restApiId}.execute-api.${region}.${urlSuffix}`;
    this.baseUrl = props.settings.baseUrl === '' ? own : props.settings.baseUrl;
    const settings = { ...props.settings, baseUrl: this.baseUrl };
    addGatewayResponses(this.rest, props.settings);

    const authorize = serviceFunction(this, authorizer.name, {
      settings: props.settings,
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

    const reserved = reserveOf(props.settings);
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
        const added = this.rest.root.resourceForPath(resourceOf(endpoint.path)).addMethod(method, integration, {
          ...(endpoint.scopes.length === 0 ? {} : { authorizer: tokens }),
          operationName: endpoint.operation,
        });
        if (endpoint.scopes.length > 0) continue;
        acknowledge(added, {
          'AwsSolutions-APIG4': 'public: what it tells is for all, or it asks for a token of a mail',
        });
      }
    }
  }
}
