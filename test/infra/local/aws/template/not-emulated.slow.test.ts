import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { synthesizeWithoutCode } from '../../../../../infra/build/synthesize.ts';
import { notEmulated, readNotEmulated } from '../../../../../infra/local/aws/template/not-emulated.ts';
import { openStack } from '../../../../../infra/local/aws/template/stack.ts';
import { type Assembly, readTemplate } from '../../../../../infra/local/aws/template/template.ts';
import { stageNames } from '../../../../../infra/settings/read-stage.ts';
import { everySetting } from '../../../../harness/every-setting.ts';

/** Reads the assembly of a stack with these settings. */
async function readAssembly<T>(settings: Record<string, string>, read: (assembly: Assembly) => T): Promise<Awaited<T>> {
  const outdir = await mkdtemp(join(tmpdir(), 'not-emulated-'));
  try {
    return await read(await synthesizeWithoutCode({ outdir, ...settings }));
  } finally {
    await rm(outdir, { recursive: true });
  }
}

test('every resource type in a deployment is emulated or listed as not emulated', async () => {
  const { lines, unknown } = await readAssembly(everySetting, readNotEmulated);
  expect(unknown).toEqual([]);
  // The list must contain only resource types that a stage uses.
  expect(lines).toEqual(notEmulated.map(({ line }) => line));
});

test.each(stageNames())(
  'every resource type that %s uses is known, and features that no stage uses are not listed',
  async (stage) => {
    const { lines, unknown } = await readAssembly({ stage }, readNotEmulated);
    expect(unknown).toEqual([]);
    expect(lines.join()).not.toMatch(stage === 'prod' ? /VPC|Cognito|domain/ : /WAF|VPC|Cognito|domain/);
  },
);

test('placeholders replace values from other stacks', async () => {
  const template = await readAssembly(everySetting, readTemplate);
  const stack = openStack(template, { baseUrl: 'http://127.0.0.1:1', sqsEndpoint: 'http://127.0.0.1:2' });
  const read = stack
    .ofType('AWS::Lambda::Function', 'AWS::ApiGateway::GatewayResponse', 'AWS::IAM::Policy')
    .map((resource) => stack.properties(resource));
  expect(JSON.stringify(read)).toContain('IdentityRegistry-prod-IdentityProvider:');
  expect(JSON.stringify(read)).not.toContain('Fn::');
});
