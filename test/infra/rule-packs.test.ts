import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsSolutionsChecks, type NagPack, ServerlessChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { synthesizeWithoutCode } from '../../infra/build/synthesize.ts';
import { everySetting } from '../harness/every-setting.ts';

const packs: readonly NagPack[] = [new AwsSolutionsChecks(), new ServerlessChecks()];

test.each([
  ['the stage dev', { stage: 'dev' }],
  ['the stage test', { stage: 'test' }],
  ['the stage prod', { stage: 'prod' }],
  ['a stage with every setting', everySetting],
])('cdk-nag finds nothing in %s, and its synthesis reads nothing from an account', async (_, settings) => {
  const outdir = await mkdtemp(join(tmpdir(), 'rule-packs-'));
  const { app } = await synthesizeWithoutCode({ outdir, ...settings });
  expect(app.synth().manifest.missing).toBeUndefined();
  await rm(outdir, { recursive: true });
  const findings = packs.flatMap((pack) => pack.validateScope(app).violations);
  const told = findings.flatMap(({ ruleName, description, violatingResources }) =>
    violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}: ${description}`),
  );
  expect(told).toEqual([]);
});
