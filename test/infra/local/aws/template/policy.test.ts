import { expect, test } from 'vitest';
import { recognize, type Service } from '../../../../../infra/local/aws/emulators/aws-call.ts';
import { withKeys } from '../../../../../infra/local/aws/template/key-access.ts';
import { evaluate, type Statement } from '../../../../../infra/local/aws/template/policy.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/persons';
const allow = (Action: string, Resource: string): Statement => ({ Effect: 'Allow', Action, Resource });

const read = { action: 'dynamodb:GetItem', resources: [table] };

test.each([
  ['the exact action and resource', [allow('dynamodb:GetItem', table)], 'allowed'],
  ['wildcards', [allow('dynamodb:Get*', 'arn:aws:dynamodb:*:*:table/per?ons')], 'allowed'],
  ['another action', [allow('dynamodb:PutItem', table)], 'not granted'],
  ['a resource whose ARN begins with the granted ARN', [allow('dynamodb:GetItem', table.slice(0, -1))], 'not granted'],
  ['nothing', [], 'not granted'],
  ['a Deny beside an Allow', [allow('*', '*'), { ...allow('dynamodb:*', '*'), Effect: 'Deny' }], 'explicitly denied'],
  ['unknown condition', [{ ...allow('*', '*'), Condition: { StringEquals: { 'aws:a': 'b' } } }], 'not granted'],
] as [string, Statement[], string][])('evaluate decides about %s', (_name, statements, verdict) => {
  expect(evaluate(statements, read)).toBe(verdict);
});

test('evaluate checks the sender address of an email against the condition', () => {
  const statement = { ...allow('ses:SendRawEmail', '*'), Condition: { StringEquals: { 'ses:FromAddress': 'a@b' } } };
  const send = (from: string) => {
    return { action: 'ses:SendRawEmail', resources: ['x'], keys: { 'ses:FromAddress': [from] } };
  };
  expect(evaluate([statement], send('a@b'))).toBe('allowed');
  expect(evaluate([statement], send('x@b'))).toBe('not granted');
});

test("uploading a part of an object requires permission to decrypt with the bucket's key", () => {
  const keys = new Map([['arn:aws:s3:::files', 'arn:key']]);
  const actionsOf = (request: string): string[] => {
    const [method = '', url = ''] = request.split(' ');
    const { needs } = recognize({ service: 's3', method, url, headers: {}, body: Buffer.alloc(0) });
    return withKeys(needs, keys).map(({ action }) => action);
  };
  expect(actionsOf('PUT /files/a')).toEqual(['s3:PutObject', 'kms:GenerateDataKey']);
  const ofPart = ['s3:PutObject', 'kms:GenerateDataKey', 'kms:Decrypt'];
  expect(actionsOf('PUT /files/a?partNumber=1&uploadId=2')).toEqual(ofPart);
  expect(actionsOf('DELETE /files/a')).toEqual(['s3:DeleteObject']);
});

const json = (service: Service, target: string, body: object) =>
  ({ service, request: 'POST /', headers: { 'x-amz-target': target }, body }) as const;
const s3 = (request: string, headers = {}) => ({ service: 's3', request, headers, body: {} }) as const;
const TransactItems = [{ Put: { TableName: 'persons' } }, { ConditionCheck: { TableName: 'persons' } }];
const query = { TableName: 'persons', IndexName: 'byName' };
const written = ['PutItem', 'ConditionCheckItem'].map((action) => `dynamodb:${action} ${table}`);
const queue = 'arn:aws:sqs:us-east-1:000000000000:jobs';
const tagged = ['s3:PutObject', 's3:PutObjectTagging'].map((action) => `${action} arn:aws:s3:::files/a`);
const batch = { QueueUrl: 'http://127.0.0.1:9/000000000000/jobs' };

test.each([
  { ...json('dynamodb', 'DynamoDB_20120810.TransactWriteItems', { TransactItems }), expected: written },
  { ...json('dynamodb', 'DynamoDB_20120810.Query', query), expected: [`dynamodb:Query ${table}/index/byName`] },
  { ...json('sqs', 'AmazonSQS.SendMessageBatch', batch), expected: [`sqs:SendMessage ${queue}`] },
  { ...s3('PUT /files/a', { 'x-amz-tagging': 'failed=true' }), expected: tagged },
  { ...s3('GET /files/a%20b?x-id=GetObject'), expected: ['s3:GetObject arn:aws:s3:::files/a b'] },
  { ...s3('GET /files?list-type=2'), expected: ['s3:ListBucket arn:aws:s3:::files'] },
])('$request with $headers requires $expected', ({ service, request, headers, body, expected }) => {
  const [method = '', url = ''] = request.split(' ');
  const { needs } = recognize({ service, method, url, headers, body: Buffer.from(JSON.stringify(body)) });
  expect(needs.map(({ action, resources }) => `${action} ${resources}`)).toEqual(expected);
});

test('the suppression list has no ARN, so its permission is limited to the Region', () => {
  const url = '/v2/email/suppression/addresses/ann%40example.org';
  const [need] = recognize({ service: 'sesv2', method: 'DELETE', url, headers: {}, body: Buffer.alloc(0) }).needs;
  const grantedIn = (region: string): Statement => {
    const Condition = { StringEquals: { 'aws:RequestedRegion': region } };
    return { ...allow('ses:DeleteSuppressedDestination', '*'), Condition };
  };
  expect(need?.action).toBe('ses:DeleteSuppressedDestination');
  const verdicts = ['us-east-1', 'eu-west-1'].map((region) => need && evaluate([grantedIn(region)], need));
  expect(verdicts).toEqual(['allowed', 'not granted']);
});
