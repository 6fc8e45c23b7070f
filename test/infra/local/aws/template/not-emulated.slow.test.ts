import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { synthesizeWithoutCode } from '../../../../../infra/build/synthesize.ts';
import { notEmulated, readNotEmulated } from '../../../../../infra/local/aws/template/not-emulated.ts';
import { openStack } from '../../../../../infra/local/aws/template/stack.ts';
import { readTemplate } from '../../../../../infra/local/aws/template/template.ts';
import { stageNames } from '../../../../../infra/settings/read-stage.ts';
import { everySetting } from '../../../../harness/every-setting.ts';

async function notEmulatedWith(settings: Record<string, string>) {
  const outdir = await mkdtemp(join(tmpdir(), 'not-emulated-'));
  try {
    return await readNotEmulated(await synthesizeWithoutCode({ outdir, ...settings }));
  } finally {
    await rm(outdir, { recursive: true });
  }
}

test('every resource type in a deployment is either emulated or listed as not emulated', async () => {
  const { lines, unknown } = await notEmulatedWith(everySetting);
  expect(unknown).toEqual([]);
  // The list must not contain unnecessary entries.
  expect(lines).toEqual(notEmulated.map(({ line }) => line));
});

test('features that a deployment does not use are missing from the list', async () => {
  const { lines, unknown } = await notEmulatedWith({});
  expect(unknown).toEqual([]);
  expect(lines.join()).not.toMatch(/WAF|VPC|Cognito|domain/);
});

test.each(stageNames())('every resource type of the stage %s is known', async (stage) => {
  expect((await notEmulatedWith({ stage })).unknown).toEqual([]);
});

test('values from other stacks are replaced by placeholders', async () => {
  const outdir = await mkdtemp(join(tmpdir(), 'not-emulated-'));
  const template = readTemplate(await synthesizeWithoutCode({ outdir, ...everySetting }));
  await rm(outdir, { recursive: true });
  const stack = openStack(template, { baseUrl: 'http://127.0.0.1:1', sqsEndpoint: 'http://127.0.0.1:2' });
  const read = stack
    .ofType('AWS::Lambda::Function', 'AWS::ApiGateway::GatewayResponse', 'AWS::IAM::Policy')
    .map((resource) => stack.properties(resource));
  expect(JSON.stringify(read)).toContain('IdentityRegistry-prod-IdentityProvider:');
  expect(JSON.stringify(read)).not.toContain('Fn::');
});
