import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { describe, expect, test } from 'vitest';
import { synthesizeWithoutCode } from '../../infra/build/synthesize.ts';
import { readStage } from '../../infra/settings/read-stage.ts';
import { synthesizeTemplate } from '../harness/template.ts';

const template = await synthesizeTemplate({}, synthesizeWithoutCode);
const other = await synthesizeTemplate({ logRetentionDays: '30', tracing: 'true' }, synthesizeWithoutCode);

const only = (of: typeof template, type: string) => of.ofType(type).map(({ properties }) => properties);
const format = String(only(template, 'AWS::ApiGateway::Stage')[0]?.AccessLogSetting.Format);

describe('the access log', () => {
  test('is JSON, whatever stands in its values: each is in quotes, and within them escaped', () => {
    const quoted = JSON.parse(format.replaceAll(/\$context\.[\w.]+/g, 'x')) as Record<string, string>;
    expect(Object.values(quoted).every((value) => value === 'x')).toBe(true);
    // It has quotes of its own, but where there is no error: then it is a bare dash, which is no JSON.
    expect(format).not.toContain('messageString');
  });

  test('says why a request failed before its function, or in it', () => {
    const fields = JSON.parse(format) as Record<string, string>;
    expect(fields).toMatchObject({
      refusal: '$context.error.responseType',
      authorizerError: '$context.authorizer.error',
      integrationError: '$context.integration.error',
    });
  });

  test('holds no path, because a path names a person, no query, and no token', () => {
    expect(format).toContain('$context.resourcePath');
    expect(format).not.toMatch(
      /\$context\.(?:path|requestOverride|identity|error\.message|customDomain)\b|authorization/i,
    );
  });
});

describe('logs are kept for', () => {
  const kept = (of: typeof template) => new Set(only(of, 'AWS::Logs::LogGroup').map((one) => one.RetentionInDays));

  test('as long as the setting says, all of them', () => {
    expect([...kept(template)]).toEqual([365]);
    expect([...kept(other)]).toEqual([30]);
  });

  test('the numbers of days that CloudWatch takes, and no other', async () => {
    const days = Object.values(RetentionDays).filter(
      (one) => typeof one === 'number' && one !== RetentionDays.INFINITE,
    );
    expect(days.length).toBeGreaterThan(20);
    for (const one of days) expect((await readStage({ logRetentionDays: one })).logRetentionDays).toBe(String(one));
    await expect(readStage({ logRetentionDays: 200 })).rejects.toThrow('must be one of 1, 3, 5,');
  });
});

test('X-Ray records where it is asked for, functions and gateway, and nowhere else', () => {
  const modes = (of: typeof template) =>
    new Set(only(of, 'AWS::Lambda::Function').map((one) => one.TracingConfig?.Mode));
  expect([...modes(template)]).toEqual([undefined]);
  expect([...modes(other)]).toEqual(['Active']);
  expect(only(template, 'AWS::ApiGateway::Stage')[0]?.TracingEnabled).not.toBe(true);
  expect(only(other, 'AWS::ApiGateway::Stage')[0]?.TracingEnabled).toBe(true);
  expect(JSON.stringify(only(template, 'AWS::IAM::Policy'))).not.toContain('xray:');
});
