import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  type RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { bundleVariable } from '../../shared/contract/log-lines.ts';
import { metricVariables } from '../../shared/contract/metrics.ts';
import type { Bundle } from '../build/bundle.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';
import { acknowledge } from './acknowledge.ts';

interface ServiceFunctionProps {
  /** Of the deployment that it is of. */
  readonly settings: DeploymentSettings;
  readonly bundle: Bundle;
  readonly description: string;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMegabytes?: number;
  readonly recursiveLoop?: RecursiveLoop;
  /** Copies that nobody else in the account may take; it has no more than these, either. */
  readonly reservedCopies?: number;
  /** What does not work while it fails. */
  readonly impact: string;
}

/** A function with what its alarm needs to know. */
export interface ServiceFunction {
  readonly lambda: LambdaFunction;
  readonly impact: string;
}

/** A function with the defaults of the house: Node 24 on arm64, structured logs. */
export function serviceFunction(scope: Construct, id: string, props: ServiceFunctionProps): ServiceFunction {
  const logs = new LogGroup(scope, `${id}Logs`, {
    retention: settingValue(props.settings, 'logRetentionDays'),
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  // The role that CDK would make has a policy of AWS, by which it may write into every log group there is.
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logs.grant(role, 'logs:CreateLogStream', 'logs:PutLogEvents');
  const isTraced = settingValue(props.settings, 'tracing');
  if (isTraced) acknowledge(role, { 'AwsSolutions-IAM5[Resource::*]': 'X-Ray knows no resources' });
  const lambda = new LambdaFunction(scope, id, {
    role,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: Code.fromAsset(props.bundle.folder),
    description: props.description.slice(0, 256),
    memorySize: props.memoryMegabytes ?? 512,
    timeout: Duration.seconds(props.timeoutSeconds),
    environment: {
      ...props.environment,
      [bundleVariable]: props.bundle.hash,
      [metricVariables.namespace]: namesOf(props.settings.stage).metrics,
      [metricVariables.function]: id,
    },
    loggingFormat: LoggingFormat.JSON,
    // Start and report of each run would be most of what is logged: durations are metrics, and runs that fail are told of still.
    systemLogLevelV2: SystemLogLevel.WARN,
    // Every attempt to deliver is a line at DEBUG: who needs them for a while sets the level of that function.
    applicationLogLevelV2: ApplicationLogLevel.INFO,
    logGroup: logs,
    // No library in the bundle: Lambda's own segments tell where the time went.
    ...(isTraced && { tracing: Tracing.ACTIVE }),
    ...(props.recursiveLoop === undefined ? {} : { recursiveLoop: props.recursiveLoop }),
    ...(props.reservedCopies === undefined ? {} : { reservedConcurrentExecutions: props.reservedCopies }),
  });
  acknowledge(lambda, {
    'Serverless-LambdaDLQ': 'who waits for an answer is told, and what a queue feeds goes back to the queue',
    'Serverless-LambdaTracing':
      'traces cost by the request, and the log has the id of each: they are for who asks for them',
  });
  return { lambda, impact: props.impact };
}
