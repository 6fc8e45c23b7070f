import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { expect, test } from 'vitest';
import { readStage } from '../../infra/settings/read-stage.ts';
import { synthesizeTemplate } from '../harness/template.ts';

const template = await synthesizeTemplate();
const other = await synthesizeTemplate({ tracing: 'true' });

const only = (of: typeof template, type: string) => of.ofType(type).map(({ properties }) => properties);
const format = String(only(template, 'AWS::ApiGateway::Stage')[0]?.AccessLogSetting.Format);

test('the access log is valid JSON, shows why a request failed, and contains no paths, queries or tokens', () => {
  const quoted = JSON.parse(format.replaceAll(/\$context\.[\w.]+/g, 'x')) as Record<string, string>;
  expect(Object.values(quoted).every((value) => value === 'x')).toBe(true);
  // API Gateway adds the quotes around this variable. Without an error, API Gateway writes a dash without quotes, which
  // is not valid JSON.
  expect(format).not.toContain('messageString');
  for (const reason of ['error.responseType', 'authorizer.error', 'integration.error'])
    expect(format).toContain(`"$context.${reason}"`);
  expect(format).toContain('$context.resourcePath');
  expect(format).not.toMatch(/\$context\.(?:path|requestOverride|identity|error\.message|customDomain)\b/);
  expect(format).not.toMatch(/authorization/i);
});

test('the logRetentionDays setting accepts only the numbers of days that CloudWatch accepts', async () => {
  const numbers = Object.values(RetentionDays).filter((one) => typeof one === 'number');
  const days = numbers.filter((one) => one !== RetentionDays.INFINITE);
  expect(days.length).toBeGreaterThan(20);
  for (const one of days) expect((await readStage({ logRetentionDays: one })).logRetentionDays).toBe(String(one));
  await expect(readStage({ logRetentionDays: 200 })).rejects.toThrow('must be one of 1, 3, 5,');
});

test('X-Ray traces the functions and the gateway only if the `tracing` setting is on', () => {
  const modes = (of: typeof template) =>
    new Set(only(of, 'AWS::Lambda::Function').map((one) => one.TracingConfig?.Mode));
  expect([...modes(template)]).toEqual([undefined]);
  expect([...modes(other)]).toEqual(['Active']);
  expect(only(template, 'AWS::ApiGateway::Stage')[0]?.TracingEnabled).not.toBe(true);
  expect(only(other, 'AWS::ApiGateway::Stage')[0]?.TracingEnabled).toBe(true);
  expect(JSON.stringify(only(template, 'AWS::IAM::Policy'))).not.toContain('xray:');
});
