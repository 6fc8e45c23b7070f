import { expect, test } from 'vitest';
import { type Resources, synthesizeTemplate } from '../harness/template.ts';

const made = await synthesizeTemplate({ vpc: 'make' });
const network = made.beside.Network as Resources;
const callers = ['deliverByHttp', 'deliverSlowly', 'deliverToMany', 'requestConfirmationByHttp'];
const placed = ({ ofType }: Resources) =>
  ofType('AWS::Lambda::Function').filter(({ properties }) => properties.VpcConfig !== undefined);

test('without network settings, no function is in a VPC', async () => {
  const template = await synthesizeTemplate();
  expect(placed(template)).toEqual([]);
  expect(template.beside.Network).toBeUndefined();
});

test('a new VPC has one fixed outgoing address per zone and accepts no incoming connections', () => {
  const names = placed(made).map(({ name }) => name);
  expect(names.toSorted()).toEqual(callers);

  const addresses = network.ofType('AWS::EC2::EIP');
  expect(addresses.map((one) => one.deletionPolicy)).toEqual(['RetainExceptOnCreate', 'RetainExceptOnCreate']);
  const told = ['egressAddress1', 'egressAddress2'].map((name) => network.outputs[name].Value['Fn::GetAtt']);
  expect(told).toEqual(addresses.map(({ id }) => [id, 'PublicIp']));
  const gateways = network.ofType('AWS::EC2::NatGateway').map(({ properties }) => properties);
  const allocations = gateways.map(({ AllocationId }) => AllocationId['Fn::GetAtt'][0]);
  expect(allocations.toSorted()).toEqual(addresses.map(({ id }) => id).toSorted());

  const groups = network.ofType('AWS::EC2::SecurityGroup');
  const functions = groups.find(({ name }) => name === 'functions');
  expect(functions?.properties.SecurityGroupIngress).toBeUndefined();
  const queues = groups.find(({ name }) => name === 'endpoint');
  expect(queues?.properties.SecurityGroupIngress).toMatchObject([
    { FromPort: 443, ToPort: 443, SourceSecurityGroupId: { 'Fn::GetAtt': [functions?.id, 'GroupId'] } },
  ]);
  expect(groups).toHaveLength(2);
});

test('a new VPC has endpoints for DynamoDB, S3 and SQS, which allow access only to resources of the account', () => {
  const services = network.ofType('AWS::EC2::VPCEndpoint').map(({ properties }) => {
    const { ServiceName, VpcEndpointType, PolicyDocument } = properties;
    const [{ Resource, Condition }, ...others] = PolicyDocument.Statement;
    const own = Resource === '*' ? Condition.StringEquals['s3:ResourceAccount'] : Resource['Fn::Join'][1].at(-2);
    expect([own, others]).toEqual([{ Ref: 'AWS::AccountId' }, []]);
    const [name] = /dynamodb|s3|sqs/.exec(JSON.stringify(ServiceName)) ?? [];
    return `${name} ${VpcEndpointType}`;
  });
  expect(services.toSorted()).toEqual(['dynamodb Gateway', 's3 Gateway', 'sqs Interface']);
});

test('in us-east-1, a new VPC uses two zones that support Lambda, and elsewhere it uses the first two zones', () => {
  const zoned = network.ofType('AWS::EC2::Subnet').map(({ properties }) => {
    const [condition, ...ids] = properties.AvailabilityZoneId['Fn::If'];
    const [sameCondition, ...names] = properties.AvailabilityZone['Fn::If'];
    expect([condition, names[0], ids[1]]).toEqual([sameCondition, ids[1], { Ref: 'AWS::NoValue' }]);
    return [ids[0], names[1]];
  });
  const first = ['use1-az1', { 'Fn::Select': [0, { 'Fn::GetAZs': '' }] }];
  const second = ['use1-az2', { 'Fn::Select': [1, { 'Fn::GetAZs': '' }] }];
  expect(zoned).toEqual(expect.arrayContaining([first, second]));
  expect(zoned).toHaveLength(4);
});

test('an existing VPC contains only the functions that call receivers, or all functions if `vpcFor` is `all`', async () => {
  const there = { vpcId: 'vpc-0123456789abcdef0', subnetIds: 'subnet-0123456789abcdef0,subnet-0123456789abcdef1' };
  const template = await synthesizeTemplate(there);
  expect(placed(template)).toHaveLength(callers.length);
  for (const { properties } of placed(template))
    expect(properties.VpcConfig.SubnetIds).toEqual(there.subnetIds.split(','));
  const { ofType } = template.beside.Network as Resources;
  expect(ofType('AWS::EC2::VPC')).toEqual([]);
  const [group] = ofType('AWS::EC2::SecurityGroup');
  expect(group?.properties).toMatchObject({ VpcId: there.vpcId });
  expect(group?.properties.SecurityGroupIngress).toBeUndefined();

  const all = await synthesizeTemplate({ ...there, vpcFor: 'all' });
  expect(placed(all)).toHaveLength(all.ofType('AWS::Lambda::Function').length);
  for (const { template: one } of all.stacks) expect(Object.keys(one.Resources).length).toBeLessThan(450);
});

test("Lambda can create the network interfaces of a function, but the function's own code cannot", () => {
  for (const { name } of placed(made)) {
    const granted = made.statementsOf(name);
    const statements = granted.filter(({ Action }) => [Action].flat().includes('ec2:CreateNetworkInterface'));
    const effects = statements.map(({ Effect, Condition }) => [Effect, Condition]);
    const notByCode = { Null: { 'lambda:SourceFunctionArn': 'false' } };
    expect(Object.fromEntries(effects), name).toStrictEqual({ Allow: undefined, Deny: notByCode });
  }
});
