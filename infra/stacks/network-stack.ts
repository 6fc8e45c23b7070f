import { CfnOutput, Fn, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
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
import { accept } from '../constructs/accepted-rules.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';
import { zones } from '../settings/stack-settings.ts';

export interface FunctionNetwork {
  readonly subnetIds: readonly string[];
  readonly securityGroupId: string;
}

interface NetworkStackProps extends StackProps {
  readonly settings: DeploymentSettings;
}

const groupDescription = 'functions call receivers and AWS; nothing connects to them';

/** The functions' network: a new VPC, or an existing VPC from the settings. The network accepts no connections from outside. */
export class NetworkStack extends Stack {
  readonly network: FunctionNetwork;

  constructor(scope: Construct, id: string, { settings, ...props }: NetworkStackProps) {
    super(scope, id, props);
    this.network =
      settings.vpcId === '' ? this.createVpc() : this.useVpc(settings.vpcId, settingValue(settings, 'subnetIds'));
  }

  /** The first zones of the Region. CDK would look up the zones of an account, so synthesis would need credentials. */
  override get availabilityZones(): string[] {
    return Array.from({ length: zones }, (_, zone) => Fn.select(zone, Fn.getAzs()));
  }

  private useVpc(vpcId: string, subnetIds: readonly string[]): FunctionNetwork {
    const group = new CfnSecurityGroup(this, 'functions', {
      ...{ vpcId, groupDescription },
      securityGroupEgress: [{ ipProtocol: '-1', cidrIp: '0.0.0.0/0' }],
    });
    return { subnetIds, securityGroupId: group.attrGroupId };
  }

  private createVpc(): FunctionNetwork {
    const addresses = Array.from({ length: zones }, (_, zone) => {
      const address = new CfnEIP(this, `egress${zone + 1}`, { domain: 'vpc' });
      // The address is retained because receivers allow it in their firewalls.
      address.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
      new CfnOutput(this, `egressAddress${zone + 1}`, {
        value: address.attrPublicIp,
        description: 'Address from which receivers are called, one for each zone',
      });
      return address;
    });
    const vpc = new Vpc(this, 'vpc', {
      maxAzs: zones,
      natGateways: zones,
      natGatewayProvider: NatProvider.gateway({ eipAllocationIds: addresses.map((one) => one.attrAllocationId) }),
      subnetConfiguration: [
        // These subnets have enough addresses for the network interfaces of every function.
        { name: 'private', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
        { name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false },
      ],
      // The default security group is unused, and CDK would need an additional function to empty it.
      restrictDefaultSecurityGroup: false,
      gatewayEndpoints: {
        dynamodb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        s3: { service: GatewayVpcEndpointAwsService.S3 },
      },
    });
    accept(vpc, 'flowLogs', 'defaultGroup', 'publicSubnets');
    const functions = new SecurityGroup(this, 'functions', { vpc: vpc as IVpc, description: groupDescription });
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
