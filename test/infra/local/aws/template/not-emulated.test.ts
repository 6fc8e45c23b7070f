import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { synthesizeWithoutCode } from '../../../../../infra/build/synthesize.ts';
import { leftOut, readLeftOut } from '../../../../../infra/local/aws/template/not-emulated.ts';
import { openStack } from '../../../../../infra/local/aws/template/stack.ts';
import { readTemplate } from '../../../../../infra/local/aws/template/template.ts';
import { stageNames } from '../../../../../infra/settings/read-stage.ts';
import { everySetting } from '../../../../harness/every-setting.ts';

async function leftOutWith(settings: Record<string, string>) {
  const outdir = await mkdtemp(join(tmpdir(), 'left-out-'));
  try {
    return await readLeftOut(await synthesizeWithoutCode({ outdir, ...settings }));
  } finally {
    await rm(outdir, { recursive: true });
  }
}

test('all that a deployment can have runs on a laptop or is said to be missing', async () => {
  const { lines, unknown } = await leftOutWith(everySetting);
  expect(unknown).toEqual([]);
  // Nothing is listed that no deployment has.
  expect(lines).toEqual(leftOut.map(({ line }) => line));
});

test('what a deployment does not have is not missing', async () => {
  const { lines, unknown } = await leftOutWith({});
  expect(unknown).toEqual([]);
  expect(lines.join()).not.toMatch(/WAF|VPC|Cognito|domain/);
});

test.each(stageNames())('%s: every type is known', async (stage) => {
  expect((await leftOutWith({ stage })).unknown).toEqual([]);
});

test('what other stacks would give stops nothing on a laptop', async () => {
  const outdir = await mkdtemp(join(tmpdir(), 'left-out-'));
  const template = readTemplate(await synthesizeWithoutCode({ outdir, ...everySetting }));
  await rm(outdir, { recursive: true });
  const stack = openStack(template, { baseUrl: 'http://127.0.0.1:1', sqsEndpoint: 'http://127.0.0.1:2' });
  const read = stack
    .ofType('AWS::Lambda::Function', 'AWS::ApiGateway::GatewayResponse', 'AWS::IAM::Policy')
    .map((resource) => stack.properties(resource));
  expect(JSON.stringify(read)).toContain('IdentityRegistry-prod-IdentityProvider.');
  expect(JSON.stringify(read)).not.toContain('Fn::');
});
