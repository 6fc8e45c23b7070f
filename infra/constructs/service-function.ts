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
import { usualMegabytes } from '../../shared/contract/background-functions.ts';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { bundleVariable } from '../../shared/contract/log-lines.ts';
import { metricVariables } from '../../shared/contract/metrics.ts';
import type { Bundle } from '../build/bundle.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';
import { accept, acceptWildcards, wildcardReasons } from './accepted-rules.ts';
import { encryptedBy, keyOf } from './encryption.ts';

interface ServiceFunctionProps {
  readonly settings: DeploymentSettings;
  readonly bundle: Bundle;
  readonly description: string;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMegabytes?: number;
  readonly recursiveLoop?: RecursiveLoop;
  readonly reservedCopies?: number;
  /** A sentence about the features that are unavailable while the function fails. */
  readonly impact: string;
}

export interface ServiceFunction {
  readonly lambda: LambdaFunction;
  readonly impact: string;
}

/** Creates a function with the project's defaults: Node.js 24 on arm64, with structured logs. */
export function serviceFunction(scope: Construct, id: string, props: ServiceFunctionProps): ServiceFunction {
  const logs = new LogGroup(scope, `${id}Logs`, {
    retention: settingValue(props.settings, 'logRetentionDays'),
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    ...encryptedBy(keyOf(scope, props.settings.keyArn)),
  });
  // This role replaces CDK's default role, which could write to every log group of the account.
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logs.grant(role, 'logs:CreateLogStream', 'logs:PutLogEvents');
  const isTraced = settingValue(props.settings, 'tracing');
  accept(logs, 'keysOfAws');
  accept(role, 'ownPolicies');
  if (isTraced) acceptWildcards(role, ['*'], wildcardReasons.traces);
  const lambda = new LambdaFunction(scope, id, {
    role,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: Code.fromAsset(props.bundle.folder),
    description: props.description.slice(0, 256),
    memorySize: props.memoryMegabytes ?? usualMegabytes,
    timeout: Duration.seconds(props.timeoutSeconds),
    environment: {
      ...props.environment,
      [bundleVariable]: props.bundle.hash,
      [metricVariables.namespace]: namesOf(props.settings.stage).metrics,
      [metricVariables.function]: id,
    },
    loggingFormat: LoggingFormat.JSON,
    // At level INFO, Lambda would log the start and end of every run. At level WARN, Lambda still logs failed runs. The
    // durations of runs are available as metrics.
    systemLogLevelV2: SystemLogLevel.WARN,
    // Every delivery attempt is logged at level DEBUG. Operators can temporarily lower the log level of one function.
    applicationLogLevelV2: ApplicationLogLevel.INFO,
    logGroup: logs,
    // Functions need no tracing library, because Lambda's own trace segments show where time was spent.
    ...(isTraced && { tracing: Tracing.ACTIVE }),
    ...(props.recursiveLoop === undefined ? {} : { recursiveLoop: props.recursiveLoop }),
    ...(props.reservedCopies === undefined ? {} : { reservedConcurrentExecutions: props.reservedCopies }),
  });
  accept(lambda, 'functionFailures', 'functionLimits', 'functionNetwork', 'traces');
  return { lambda, impact: props.impact };
}
