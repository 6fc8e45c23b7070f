import { ArnFormat, Aws, CfnCondition, CfnOutput, Fn, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import {
  CfnEIP,
  CfnSecurityGroup,
  type CfnSubnet,
  GatewayVpcEndpointAwsService,
  InterfaceVpcEndpointAwsService,
  type ISubnet,
  type IVpc,
  NatProvider,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement, StarPrincipal } from 'aws-cdk-lib/aws-iam';
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

/**
 * Two zones of us-east-1 in which Lambda runs. Lambda rejects subnets in other zones ("The provided subnets contain
 * availability zone Lambda doesn't support"). AWS does not publish which zones have Lambda. Several services are
 * reported to be missing in the zone `use1-az3` of us-east-1. No such zone of another Region is documented. If Lambda
 * rejects a subnet there, operators can choose zones with their own VPC (setting `vpcId`). A zone id identifies the same
 * zone in every account, but a zone name does not:
 * https://docs.aws.amazon.com/ram/latest/userguide/working-with-az-ids.html
 */
const knownZones = { region: 'us-east-1', ids: ['use1-az1', 'use1-az2'] } as const;

const groupDescription = 'functions call receivers and AWS; nothing connects to them';

/** The network of the functions, which is a new or an existing VPC. The network accepts no incoming connections. */
export class NetworkStack extends Stack {
  readonly network: FunctionNetwork;

  constructor(scope: Construct, id: string, { settings, ...props }: NetworkStackProps) {
    super(scope, id, props);
    this.network =
      settings.vpcId === '' ? this.createVpc() : this.useVpc(settings.vpcId, settingValue(settings, 'subnetIds'));
  }

  /**
   * Returns the first zones of the Region. By default, CDK would look up the account's zones, which requires
   * credentials.
   */
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

  private selectZones(kinds: readonly (readonly ISubnet[])[]): void {
    const isKnown = new CfnCondition(this, 'hasKnownZones', {
      expression: Fn.conditionEquals(Aws.REGION, knownZones.region),
    }).logicalId;
    for (const subnets of kinds) {
      for (const [zone, { node, availabilityZone }] of subnets.entries()) {
        const subnet = node.defaultChild as CfnSubnet;
        subnet.availabilityZone = Fn.conditionIf(isKnown, Aws.NO_VALUE, availabilityZone).toString();
        subnet.availabilityZoneId = Fn.conditionIf(isKnown, knownZones.ids[zone], Aws.NO_VALUE).toString();
      }
    }
  }

  private ownArns(service: string): string {
    return this.formatArn({ service, resource: '*', arnFormat: ArnFormat.NO_RESOURCE_NAME });
  }

  /**
   * Returns the statement of an endpoint's policy, which allows only resources of this account:
   * https://aws.amazon.com/blogs/storage/limit-access-to-amazon-s3-buckets-owned-by-specific-aws-accounts/
   */
  private allow(service: string, resource: string, conditions: Record<string, object> = {}): PolicyStatement {
    const principals = [new StarPrincipal()];
    return new PolicyStatement({ principals, actions: [`${service}:*`], resources: [resource], conditions });
  }

  private createVpc(): FunctionNetwork {
    const addresses = Array.from({ length: zones }, (_, zone) => {
      const address = new CfnEIP(this, `egress${zone + 1}`, { domain: 'vpc' });
      // The address outlives the stack, because receivers may have allowed it in their firewalls.
      address.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
      new CfnOutput(this, `egressAddress${zone + 1}`, {
        value: address.attrPublicIp,
        description: 'Address from which functions in one zone call receivers',
      });
      return address;
    });
    const vpc = new Vpc(this, 'vpc', {
      maxAzs: zones,
      natGateways: zones,
      natGatewayProvider: NatProvider.gateway({ eipAllocationIds: addresses.map((one) => one.attrAllocationId) }),
      subnetConfiguration: [
        // The private subnets have enough addresses for the network interfaces of all functions.
        { name: 'private', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
        { name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false },
      ],
      // Keeps the rules of the unused default security group, because CDK would need an additional function to remove
      // them.
      restrictDefaultSecurityGroup: false,
    });
    this.selectZones([vpc.privateSubnets, vpc.publicSubnets]);
    accept(vpc, 'flowLogs', 'defaultGroup', 'publicSubnets');
    const functions = new SecurityGroup(this, 'functions', { vpc: vpc as IVpc, description: groupDescription });
    const endpoint = new SecurityGroup(this, 'endpoint', {
      vpc: vpc as IVpc,
      allowAllOutbound: false,
      description: 'queues',
    });
    endpoint.addIngressRule(Peer.securityGroupId(functions.securityGroupId), Port.tcp(443));
    const { DYNAMODB, S3 } = GatewayVpcEndpointAwsService;
    vpc
      .addGatewayEndpoint('dynamodb', { service: DYNAMODB })
      .addToPolicy(this.allow('dynamodb', this.ownArns('dynamodb')));
    vpc
      .addGatewayEndpoint('s3', { service: S3 })
      .addToPolicy(this.allow('s3', '*', { StringEquals: { 's3:ResourceAccount': this.account } }));
    vpc
      .addInterfaceEndpoint('queues', {
        ...{ service: InterfaceVpcEndpointAwsService.SQS, securityGroups: [endpoint], open: false },
      })
      .addToPolicy(this.allow('sqs', this.ownArns('sqs')));
    return {
      subnetIds: vpc.privateSubnets.map(({ subnetId }) => subnetId),
      securityGroupId: functions.securityGroupId,
    };
  }
}
