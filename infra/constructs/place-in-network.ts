import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import { workerLanes } from '../../shared/contract/workers.ts';
import { channelOfQueue } from '../../shared/domain/deliveries/channels.ts';
import type { FunctionNetwork } from '../stacks/network-stack.ts';
import { acceptWildcards, wildcardReasons } from './accepted-rules.ts';

// Source: "Giving Lambda functions access to resources in an Amazon VPC" in the Lambda Developer Guide.
const interfaceActions = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/** Names of the functions that connect to receivers. */
export const connectingFunctions: ReadonlySet<string> = new Set(
  workerLanes.filter(({ queue }) => channelOfQueue(queue)?.connectsTo !== undefined).map(({ lane }) => lane),
);

/**
 * Puts a function into a VPC. Lambda uses the role of the function to create network interfaces, but the function's
 * code must not create any.
 */
export function placeInNetwork(lambda: LambdaFunction, { subnetIds, securityGroupId }: FunctionNetwork): void {
  const resource = lambda.node.defaultChild as CfnFunction;
  resource.vpcConfig = { subnetIds: [...subnetIds], securityGroupIds: [securityGroupId] };
  lambda.addToRolePolicy(new PolicyStatement({ actions: interfaceActions, resources: ['*'] }));
  lambda.addToRolePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: interfaceActions,
      resources: ['*'],
      // AWS sets `lambda:SourceFunctionArn` only for calls that the function's own code makes.
      conditions: { Null: { 'lambda:SourceFunctionArn': 'false' } },
    }),
  );
  acceptWildcards(lambda.role as IConstruct, ['*'], wildcardReasons.networkInterfaces);
}
