import { describe, expect, test } from 'vitest';
import { recognize, type Service } from '../../../../../infra/local/aws/emulators/aws-call.ts';
import { evaluate, type Statement } from '../../../../../infra/local/aws/template/policy.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/persons';
const allow = (Action: string | string[], Resource: string | string[]): Statement => ({
  Effect: 'Allow',
  Action,
  Resource,
});

describe('a decision', () => {
  const read = { action: 'dynamodb:GetItem', resources: [table] };

  test.each([
    ['the very action and resource', [allow('dynamodb:GetItem', table)], 'allowed'],
    ['wildcards', [allow('dynamodb:Get*', 'arn:aws:dynamodb:*:*:table/per?ons')], 'allowed'],
    ['another action', [allow('dynamodb:PutItem', table)], 'not granted'],
    ['a resource that only starts the same', [allow('dynamodb:GetItem', table.slice(0, -1))], 'not granted'],
    ['nothing', [], 'not granted'],
    ['a Deny beside an Allow', [allow('*', '*'), { ...allow('dynamodb:*', '*'), Effect: 'Deny' }], 'explicitly denied'],
    [
      'a condition nobody can judge',
      [{ ...allow('*', '*'), Condition: { StringEquals: { 'aws:PrincipalTag/a': 'b' } } }],
      'not granted',
    ],
  ] as [string, Statement[], string][])('%s', (_name, statements, verdict) => {
    expect(evaluate(statements, read)).toBe(verdict);
  });

  test('a mail is judged by its sender', () => {
    const statement = {
      ...allow('ses:SendRawEmail', '*'),
      Condition: { StringEquals: { 'ses:FromAddress': 'a@b.c' } },
    };
    const send = (from: string) => ({
      action: 'ses:SendRawEmail',
      resources: ['x'],
      keys: { 'ses:FromAddress': [from] },
    });
    expect(evaluate([statement], send('a@b.c'))).toBe('allowed');
    expect(evaluate([statement], send('x@b.c'))).toBe('not granted');
  });
});

describe('what a call needs', () => {
  const needs = (service: Service, target: string, body: unknown) =>
    recognize({
      service,
      method: 'POST',
      url: '/',
      headers: { 'x-amz-target': target },
      body: Buffer.from(JSON.stringify(body)),
    }).needs.map(({ action, resources }) => `${action} ${resources}`);

  test('a transaction needs the actions of its items', () => {
    const TransactItems = [{ Put: { TableName: 'persons' } }, { ConditionCheck: { TableName: 'persons' } }];
    expect(needs('dynamodb', 'DynamoDB_20120810.TransactWriteItems', { TransactItems })).toEqual([
      `dynamodb:PutItem ${table}`,
      `dynamodb:ConditionCheckItem ${table}`,
    ]);
  });

  test('a query of an index needs the index', () => {
    expect(needs('dynamodb', 'DynamoDB_20120810.Query', { TableName: 'persons', IndexName: 'byName' })).toEqual([
      `dynamodb:Query ${table}/index/byName`,
    ]);
  });

  test('a batch of messages needs what one message needs', () => {
    const QueueUrl = 'http://127.0.0.1:9/000000000000/jobs';
    expect(needs('sqs', 'AmazonSQS.SendMessageBatch', { QueueUrl })).toEqual([
      'sqs:SendMessage arn:aws:sqs:us-east-1:000000000000:jobs',
    ]);
  });

  test('the suppression list has no ARN: what is asked is a region', () => {
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

  test('an object that is put with tags needs the right to tag, too', () => {
    const headers = { 'x-amz-tagging': 'failed=true' };
    const { needs } = recognize({ service: 's3', method: 'PUT', url: '/files/a', headers, body: Buffer.alloc(0) });
    const resources = ['arn:aws:s3:::files/a'];
    expect(needs).toEqual(['s3:PutObject', 's3:PutObjectTagging'].map((action) => ({ action, resources })));
  });

  test('an object needs its own ARN, a listing its bucket', () => {
    const s3 = (method: string, url: string) =>
      recognize({ service: 's3', method, url, headers: {}, body: Buffer.alloc(0) }).needs;
    expect(s3('GET', '/files/a%20b?x-id=GetObject')).toEqual([
      { action: 's3:GetObject', resources: ['arn:aws:s3:::files/a b'] },
    ]);
    expect(s3('GET', '/files?list-type=2')).toEqual([{ action: 's3:ListBucket', resources: ['arn:aws:s3:::files'] }]);
  });
});
