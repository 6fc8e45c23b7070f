// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are for CloudFormation and API Gateway
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStack } from '../../../../../infra/local/aws/template/stack.ts';
import { readTemplate } from '../../../../../infra/local/aws/template/template.ts';
import { createAssembly } from '../../assembly.ts';

const addresses = { baseUrl: 'http://127.0.0.1:3000', sqsEndpoint: 'http://127.0.0.1:9' };

/** Resolves a value in a stack that has a queue and an API. Another stack contains a table. */
function resolveValue(value: unknown): unknown {
  const assembly = createAssembly();
  assembly.add('Queue', 'AWS::SQS::Queue', { QueueName: 'jobs' });
  assembly.add('Api', 'AWS::ApiGateway::RestApi');
  assembly.add('Stage', 'AWS::ApiGateway::Stage', { StageName: 'v1' });
  assembly.add('Holder', 'Test::Holder', { value });
  const data = {
    Resources: { Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { TableName: 'persons' } } },
    Outputs: { one: { Value: { Ref: 'Table' }, Export: { Name: 'Test-Data:one' } } },
  };
  writeFileSync(join(assembly.directory, 'Test-Data.template.json'), JSON.stringify(data));
  writeFileSync(join(assembly.directory, 'Test-Data.assets.json'), '{}');
  const stack = openStack(readTemplate(assembly.write()), addresses);
  const [holder] = stack.ofType('Test::Holder');
  return holder && stack.properties<{ value?: unknown }>(holder).value;
}

test.each([
  [{ Ref: 'Table' }, 'persons'],
  [{ 'Fn::ImportValue': 'Test-Data:one' }, 'persons'],
  [{ 'Fn::ImportValue': 'Test-Network:one' }, 'Test-Network:one'],
  [{ Ref: 'Queue' }, 'http://127.0.0.1:9/000000000000/jobs'],
  [{ 'Fn::GetAtt': ['Queue', 'QueueName'] }, 'jobs'],
  [{ 'Fn::GetAtt': ['Table', 'Arn'] }, 'arn:aws:dynamodb:us-east-1:000000000000:table/persons'],
  [{ 'Fn::Sub': '${AWS::Region}/${Table}/${Queue.QueueName}/${!kept}' }, 'us-east-1/persons/jobs/${kept}'],
  [{ 'Fn::Sub': ['${own}', { own: { Ref: 'Table' } }] }, 'persons'],
  [{ 'Fn::Select': [1, { 'Fn::Split': ['-', 'a-b-c'] }] }, 'b'],
  [
    { kept: 1, removed: { Ref: 'AWS::NoValue' }, list: [{ Ref: 'AWS::NoValue' }, 2] },
    { kept: 1, list: [2] },
  ],
])('resolveIntrinsics resolves %j', (value, expected) => {
  expect(resolveValue(value)).toEqual(expected);
});

test("resolveIntrinsics replaces the API's cloud address with its local address", () => {
  const host = [{ Ref: 'Api' }, '.execute-api.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }];
  const url = { 'Fn::Join': ['', ['https://', ...host, '/', { Ref: 'Stage' }, '/x']] };
  expect(resolveValue(url)).toBe('http://127.0.0.1:3000/v1/x');
});

test.each([
  [{ 'Fn::Cidr': ['10.0.0.0/8', 1] }, /Holder\.value.*Fn::Cidr/],
  [{ Ref: 'Missing' }, /Holder\.value.*Missing/],
  [{ 'Fn::GetAtt': ['Table', 'Colour'] }, /Holder\.value.*Colour/],
])('resolveIntrinsics names the property whose value it cannot resolve: %j', (value, message) => {
  expect(() => resolveValue(value)).toThrow(message);
});

test('derived resource names are valid and do not change between runs', () => {
  const nameOfBucket = () => {
    const assembly = createAssembly();
    assembly.add('DocumentsOfPersons', 'AWS::S3::Bucket');
    const stack = openStack(readTemplate(assembly.write()), addresses);
    return stack.ofType('AWS::S3::Bucket').map(stack.nameOf)[0];
  };
  expect(nameOfBucket()).toMatch(/^[a-z0-9-]{3,63}$/);
  expect(nameOfBucket()).toBe(nameOfBucket());
});
