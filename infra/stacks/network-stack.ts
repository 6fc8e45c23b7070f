import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import {
  CfnEIP,
  CfnSecurityGroup,
  GatewayVpcEndpointAwsService,
  InterfaceVpcEndpointAwsService,
  type IVpc,
  NatProvider,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { zones } from '../settings/network-settings.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';

/** Where functions stand. */
export interface FunctionNetwork {
  readonly subnetIds: readonly string[];
  readonly securityGroupId: string;
}

interface NetworkStackProps extends StackProps {
  readonly settings: DeploymentSettings;
}

const fromInside = 'functions call receivers and AWS; nobody calls them by the network';

/** The network of the functions: a VPC made here, or the one that the settings name. What is in it, nobody reaches from outside. */
export class NetworkStack extends Stack {
  readonly network: FunctionNetwork;

  constructor(scope: Construct, id: string, { settings, ...props }: NetworkStackProps) {
    super(scope, id, props);
    this.network =
      settings.vpcId === '' ? this.make() : this.within(settings.vpcId, settingValue(settings, 'subnetIds'));
  }

  private within(vpcId: string, subnetIds: readonly string[]): FunctionNetwork {
    const group = new CfnSecurityGroup(this, 'functions', {
      ...{ vpcId, groupDescription: fromInside },
      securityGroupEgress: [{ ipProtocol: '-1', cidrIp: '0.0.0.0/0' }],
    });
    return { subnetIds, securityGroupId: group.attrGroupId };
  }

  private make(): FunctionNetwork {
    const addresses = Array.from({ length: zones }, (_, zone) => {
      const address = new CfnEIP(this, `egress${zone + 1}`, { domain: 'vpc' });
      // Receivers have it in their firewalls.
      address.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
      new CfnOutput(this, `egressAddress${zone + 1}`, {
        value: address.attrPublicIp,
        description: 'Address that receivers are called from, one of each zone',
      });
      return address;
    });
    const vpc = new Vpc(this, 'vpc', {
      maxAzs: zones,
      natGateways: zones,
      natGatewayProvider: NatProvider.gateway({ eipAllocationIds: addresses.map((one) => one.attrAllocationId) }),
      subnetConfiguration: [
        // Enough for a network interface of every function.
        { name: 'private', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
        { name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false },
      ],
      // Nothing is in the default group; to empty it takes a function of CDK's own.
      restrictDefaultSecurityGroup: false,
      gatewayEndpoints: {
        dynamodb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        s3: { service: GatewayVpcEndpointAwsService.S3 },
      },
    });
    acknowledge(vpc, {
      'AwsSolutions-VPC7': 'the ledger keeps every attempt to deliver; whoever wants flow logs adds them to the VPC',
    });
    const functions = new SecurityGroup(this, 'functions', { vpc: vpc as IVpc, description: fromInside });
    const endpoint = new SecurityGroup(this, 'endpoint', {
      vpc: vpc as IVpc,
      allowAllOutbound: false,
      description: 'queues',
    });
    endpoint.addIngressRule(Peer.securityGroupId(functions.securityGroupId), Port.tcp(443));
    vpc.addInterfaceEndpoint('queues', {
      ...{ service: InterfaceVpcEndpointAwsService.SQS, securityGroups: [endpoint], open: false },
    });
    return {
      subnetIds: vpc.privateSubnets.map(({ subnetId }) => subnetId),
      securityGroupId: functions.securityGroupId,
    };
  }
}
