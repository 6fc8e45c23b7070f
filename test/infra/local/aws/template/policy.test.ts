import { describe, expect, test } from 'vitest';
import { recognize, type Service } from '../../../../../infra/local/aws/emulators/aws-call.ts';
import { evaluate, type Statement } from '../../../../../infra/local/aws/template/policy.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/persons';
const allow = (Action: string | string[], Resource: string | string[]): Statement => ({
  Effect: 'Allow',
  Action,
  Resource,
});

describe('evaluate', () => {
  const read = { action: 'dynamodb:GetItem', resources: [table] };

  test.each([
    ['the exact action and resource', [allow('dynamodb:GetItem', table)], 'allowed'],
    ['wildcards', [allow('dynamodb:Get*', 'arn:aws:dynamodb:*:*:table/per?ons')], 'allowed'],
    ['another action', [allow('dynamodb:PutItem', table)], 'not granted'],
    ['a resource with the same prefix', [allow('dynamodb:GetItem', table.slice(0, -1))], 'not granted'],
    ['nothing', [], 'not granted'],
    ['a Deny beside an Allow', [allow('*', '*'), { ...allow('dynamodb:*', '*'), Effect: 'Deny' }], 'explicitly denied'],
    ['unknown condition', [{ ...allow('*', '*'), Condition: { StringEquals: { 'aws:a': 'b' } } }], 'not granted'],
  ] as [string, Statement[], string][])('decides about %s', (_name, statements, verdict) => {
    expect(evaluate(statements, read)).toBe(verdict);
  });

  test('evaluate checks the sender address of an email', () => {
    const statement = { ...allow('ses:SendRawEmail', '*'), Condition: { StringEquals: { 'ses:FromAddress': 'a@b' } } };
    const send = (from: string) => ({
      action: 'ses:SendRawEmail',
      resources: ['x'],
      keys: { 'ses:FromAddress': [from] },
    });
    expect(evaluate([statement], send('a@b'))).toBe('allowed');
    expect(evaluate([statement], send('x@b'))).toBe('not granted');
  });
});

describe('the permissions that a call requires', () => {
  const needs = (service: Service, target: string, body: unknown) =>
    recognize({
      service,
      method: 'POST',
      url: '/',
      headers: { 'x-amz-target': target },
      body: Buffer.from(JSON.stringify(body)),
    }).needs.map(({ action, resources }) => `${action} ${resources}`);

  test('a transaction requires permission for the actions of all its items', () => {
    const TransactItems = [{ Put: { TableName: 'persons' } }, { ConditionCheck: { TableName: 'persons' } }];
    expect(needs('dynamodb', 'DynamoDB_20120810.TransactWriteItems', { TransactItems })).toEqual([
      `dynamodb:PutItem ${table}`,
      `dynamodb:ConditionCheckItem ${table}`,
    ]);
  });

  test('a query on an index requires permission for the index', () => {
    expect(needs('dynamodb', 'DynamoDB_20120810.Query', { TableName: 'persons', IndexName: 'byName' })).toEqual([
      `dynamodb:Query ${table}/index/byName`,
    ]);
  });

  test('a batch of messages requires the same permissions as one message', () => {
    const QueueUrl = 'http://127.0.0.1:9/000000000000/jobs';
    expect(needs('sqs', 'AmazonSQS.SendMessageBatch', { QueueUrl })).toEqual([
      'sqs:SendMessage arn:aws:sqs:us-east-1:000000000000:jobs',
    ]);
  });

  test('the suppression list has no ARN, so its permission names the Region', () => {
    const url = '/v2/email/suppression/addresses/ann%40example.org';
    const [need] = recognize({ service: 'sesv2', method: 'DELETE', url, headers: {}, body: Buffer.alloc(0) }).needs;
    const grantedIn = (region: string): Statement => ({
      ...allow('ses:DeleteSuppressedDestination', '*'),
      Condition: { StringEquals: { 'aws:RequestedRegion': region } },
    });
    expect(need?.action).toBe('ses:DeleteSuppressedDestination');
    const verdicts = ['us-east-1', 'eu-west-1'].map((region) => need && evaluate([grantedIn(region)], need));
    expect(verdicts).toEqual(['allowed', 'not granted']);
  });

  test('putting an object with tags also requires permission for tagging', () => {
    const headers = { 'x-amz-tagging': 'failed=true' };
    const { needs } = recognize({ service: 's3', method: 'PUT', url: '/files/a', headers, body: Buffer.alloc(0) });
    const resources = ['arn:aws:s3:::files/a'];
    expect(needs).toEqual(['s3:PutObject', 's3:PutObjectTagging'].map((action) => ({ action, resources })));
  });

  test('a request for an object requires permission for the object, and a listing requires permission for the bucket', () => {
    const s3 = (method: string, url: string) =>
      recognize({ service: 's3', method, url, headers: {}, body: Buffer.alloc(0) }).needs;
    expect(s3('GET', '/files/a%20b?x-id=GetObject')).toEqual([
      { action: 's3:GetObject', resources: ['arn:aws:s3:::files/a b'] },
    ]);
    expect(s3('GET', '/files?list-type=2')).toEqual([{ action: 's3:ListBucket', resources: ['arn:aws:s3:::files'] }]);
  });
});
