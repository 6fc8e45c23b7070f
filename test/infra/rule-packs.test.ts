import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsSolutionsChecks, type NagPack, NIST80053R5Checks, ServerlessChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { synthesizeWithoutCode } from '../../infra/build/synthesize.ts';
import { acceptedRules } from '../../infra/constructs/accepted-rules.ts';
import { stageNames } from '../../infra/settings/read-stage.ts';
import { everySetting } from '../harness/every-setting.ts';

const packs: readonly NagPack[] = [new AwsSolutionsChecks(), new ServerlessChecks(), new NIST80053R5Checks()];

const brokenRules = new Set<string>();
for (const pack of packs) {
  // cdk-nag calls this method for every finding.
  const checker = pack as unknown as { isAcknowledged(resource: unknown, id: string): boolean };
  const isAcknowledged = checker.isAcknowledged.bind(pack);
  checker.isAcknowledged = (resource, id) => {
    brokenRules.add(id.replace(/\[.*/, ''));
    return isAcknowledged(resource, id);
  };
}

test.each([
  ...stageNames().map((stage) => ({ name: `the stage ${stage}`, settings: { stage } })),
  { name: 'a stage with every setting', settings: everySetting },
])('in $name, the rule packs find only accepted violations and read no data from an account', async ({ settings }) => {
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

test('the rule packs find at least one violation of each accepted rule, so no exception is obsolete', () => {
  expect([...new Set(acceptedRules.map(({ rule }) => rule))]).toEqual([...brokenRules].toSorted());
});
