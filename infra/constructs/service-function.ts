import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  type RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { bundleVariable } from '../../shared/contract/log-lines.ts';
import type { Bundle } from '../bundle.ts';

interface ServiceFunctionProps {
  readonly bundle: Bundle;
  readonly description: string;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMegabytes?: number;
  readonly recursiveLoop?: RecursiveLoop;
  /** What does not work while it fails. */
  readonly impact: string;
}

/** A function with what its alarm needs to know. */
export interface ServiceFunction {
  readonly lambda: LambdaFunction;
  readonly logs: LogGroup;
  readonly impact: string;
}

/** A function with the defaults of the house: Node 24 on arm64, structured logs kept for a year. */
export function serviceFunction(scope: Construct, id: string, props: ServiceFunctionProps): ServiceFunction {
  const logs = new LogGroup(scope, `${id}Logs`, {
    retention: RetentionDays.ONE_YEAR,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  const lambda = new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: Code.fromAsset(props.bundle.folder),
    description: props.description.slice(0, 256),
    memorySize: props.memoryMegabytes ?? 512,
    timeout: Duration.seconds(props.timeoutSeconds),
    environment: { ...props.environment, [bundleVariable]: props.bundle.hash },
    loggingFormat: LoggingFormat.JSON,
    // Every attempt to deliver is a line at DEBUG: who needs them for a while sets the level of that function.
    applicationLogLevelV2: ApplicationLogLevel.INFO,
    logGroup: logs,
    ...(props.recursiveLoop === undefined ? {} : { recursiveLoop: props.recursiveLoop }),
  });
  return { lambda, logs, impact: props.impact };
}
