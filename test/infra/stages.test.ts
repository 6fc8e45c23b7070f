import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { synthesizeWithoutCode } from '../../infra/build/synthesize.ts';
import { assemblyStacks } from '../../infra/operate/release/assembly-stacks.ts';
import { stageNames } from '../../infra/settings/read-stage.ts';
import { everySetting } from '../harness/every-setting.ts';
import { type Properties, synthesizeTemplate } from '../harness/template.ts';

const stages = stageNames();

type Stage = Awaited<ReturnType<typeof synthesizeTemplate>>;

const templates = new Map<string, Stage>();
beforeAll(async () => {
  for (const stage of stages) templates.set(stage, await synthesizeTemplate({ stage }));
});

const of = (stage: string): Stage => templates.get(stage) as Stage;

/** Returns the resource names that our code sets. These names must be unique in an account and Region. */
const givenNames = ({ ofType, observability }: Stage): unknown[] => [
  ...observability
    .ofType('AWS::CloudWatch::Dashboard')
    .map(({ properties }) => `dashboard ${properties.DashboardName}`),
  ...ofType('AWS::SES::ConfigurationSet').map(({ properties }) => properties.Name),
  ...ofType('AWS::Lambda::Function').flatMap(
    ({ properties }) => properties.Environment?.Variables.METRICS_NAMESPACE ?? [],
  ),
  ...['DynamoDB::GlobalTable', 'SQS::Queue', 'S3::Bucket', 'Lambda::Function', 'SecretsManager::Secret']
    .flatMap((type) => ofType(`AWS::${type}`))
    .flatMap(({ properties: p }) => p.TableName ?? p.QueueName ?? p.BucketName ?? p.FunctionName ?? p.Name ?? []),
];

test('no two stages give resources the same name', () => {
  const taken = stages.flatMap((stage) => [...new Set(givenNames(of(stage)))]);
  expect(taken).toContain('identity-registry-prod');
  expect(taken).toContain('IdentityRegistry/prod');
  expect(new Set(taken).size).toBe(taken.length);
});

const isProtected = ({ ofType }: Stage): unknown[] =>
  ofType('AWS::DynamoDB::GlobalTable').map(({ properties }) => properties.Replicas[0].DeletionProtectionEnabled);

// These stacks of the production stage have not been deployed yet.
const open = ['IdentityRegistry-prod-Data', 'IdentityRegistry-prod-Protection'];
const firstDeployment = (stacks: readonly string[]): Promise<Stage> =>
  synthesizeTemplate({ stage: 'prod', firstDeployment: stacks.join(',') });

test('the tables and stacks of a production stage are protected from deletion, except during its first deployment', async () => {
  expect(new Set(isProtected(of('prod')))).toEqual(new Set([true]));
  expect(new Set(isProtected(of('test')))).toEqual(new Set([false]));
  const first = await firstDeployment(open);
  expect(new Set(isProtected(first))).toEqual(new Set([false]));
  expect(first.stacks.flatMap(({ name, isProtected: isKept }) => (isKept ? [] : [name]))).toEqual(open);
  const later = await firstDeployment(['IdentityRegistry-prod-Observability']);
  expect(new Set(isProtected(later))).toEqual(new Set([true]));
});

test.each(stages)('every stack of %s has fewer than 380 resources (limit 500) and 180 outputs (limit 200)', (stage) => {
  for (const { name, template } of of(stage).stacks) {
    expect(Object.keys(template.Resources).length, name).toBeLessThan(380);
    expect(Object.keys(template.Outputs ?? {}).length, name).toBeLessThan(180);
  }
});

test.each(stages)('two syntheses of %s are identical, and only prod is protected and has an account', async (stage) => {
  const { stacks } = of(stage);
  expect(stacks.length).toBeGreaterThan(1);
  expect(new Set(stacks.map(({ isProtected }) => isProtected))).toEqual(new Set([stage === 'prod']));
  const outdir = mkdtempSync(join(tmpdir(), 'stage-'));
  const { directory, app } = await synthesizeWithoutCode({ outdir, stage });
  const places = new Set(app.synth().stacks.map(({ environment }) => environment.name));
  const place = stage === 'prod' ? '111122223333/eu-central-1' : 'unknown-account/unknown-region';
  expect([...places]).toEqual([`aws://${place}`]);
  expect(await assemblyStacks(directory)).toEqual(stacks);
  rmSync(outdir, { recursive: true });
});

test("imports between stacks are strong references, and every resource has the stage's tags", async () => {
  const more = { keptExports: 'IdentityRegistry-prod:ExportsOld=a=b', tags: 'owner=it, cost-center=4' };
  const { stacks, ofType } = await synthesizeTemplate({ ...everySetting, ...more });
  const text = JSON.stringify(stacks);
  expect(text).toContain('"Fn::ImportValue":"IdentityRegistry-prod:');
  expect(text).not.toContain('Fn::GetStackOutput');
  const kept = { Value: 'a=b', Export: { Name: 'IdentityRegistry-prod:ExportsOld' } };
  expect(stacks.map(({ template }) => template.Outputs?.ExportsOld)).toContainEqual(kept);
  const tagged = ['DynamoDB::GlobalTable', 'S3::Bucket', 'SQS::Queue', 'Lambda::Function', 'Logs::LogGroup'];
  const expected = { service: 'identity-registry', stage: 'prod', owner: 'it', 'cost-center': '4' };
  for (const { properties } of tagged.flatMap((type) => ofType(`AWS::${type}`))) {
    const tags: Properties[] = properties.Tags ?? properties.Replicas[0].Tags;
    expect(Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]))).toEqual(expected);
  }
});
