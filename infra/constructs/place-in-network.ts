import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import { workerLanes } from '../../shared/contract/workers.ts';
import { channelOfQueue } from '../../shared/domain/deliveries/channels.ts';
import type { FunctionNetwork } from '../stacks/network-stack.ts';
import { acknowledge } from './acknowledge.ts';

// Lambda Developer Guide, "Giving Lambda functions access to resources in an Amazon VPC".
const interfaceActions = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/** The functions that open connections to receivers, by their names. */
export const callingFunctions: ReadonlySet<string> = new Set(
  workerLanes.filter(({ queue }) => channelOfQueue(queue)?.connectsTo !== undefined).map(({ lane }) => lane),
);

/** Puts a function into a network. Lambda makes its interfaces in the function's name; its code may not. */
export function placeInNetwork(lambda: LambdaFunction, { subnetIds, securityGroupId }: FunctionNetwork): void {
  const resource = lambda.node.defaultChild as CfnFunction;
  resource.vpcConfig = { subnetIds: [...subnetIds], securityGroupIds: [securityGroupId] };
  lambda.addToRolePolicy(new PolicyStatement({ actions: interfaceActions, resources: ['*'] }));
  lambda.addToRolePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: interfaceActions,
      resources: ['*'],
      // The key is there when the function's own code calls.
      conditions: { Null: { 'lambda:SourceFunctionArn': 'false' } },
    }),
  );
  acknowledge(lambda.role as IConstruct, {
    'AwsSolutions-IAM5[Resource::*]':
      'an interface has no name before it is made, and the code of the function may make none',
  });
}
