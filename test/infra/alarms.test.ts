import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { AlarmKind } from '../../infra/constructs/alarm-kinds/alarm-kind.ts';
import { alarmKinds, alarmText, runbookLink } from '../../infra/constructs/alarm-kinds/alarm-kinds.ts';
import { namesOf, rollbackOutput } from '../../shared/contract/deployment-names.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { metrics } from '../../shared/contract/metrics.ts';
import { queues } from '../../shared/contract/queue-names.ts';
import { type Table, tables } from '../../shared/contract/tables.ts';
import { workerLanes } from '../../shared/contract/workers.ts';
import { everySetting } from '../harness/every-setting.ts';
import { type Properties, type Resource, synthesizeTemplate } from '../harness/template.ts';

type Template = Awaited<ReturnType<typeof synthesizeTemplate>>;

let template: Template;
beforeAll(async () => {
  const { domainName, certificateArn } = everySetting;
  template = await synthesizeTemplate({ stage: 'prod', domainName, certificateArn });
});

const alarmsOf = ({ observability }: Template): Resource[] => observability.ofType('AWS::CloudWatch::Alarm');
const kindOf = ({ name }: Resource): string => name.split('-')[0] ?? '';
const alarms = (kind: keyof typeof alarmKinds): Resource[] =>
  alarmsOf(template).filter((alarm) => kindOf(alarm) === kind);
const ofEach = (kind: keyof typeof alarmKinds): string[] =>
  alarms(kind).map(({ name }) => name.split('-').slice(1).join('-'));
const kinds = Object.entries<AlarmKind>(alarmKinds);

// A reference to another stack contains the name of an output. The name contains the ID of the resource.
const idWithin = (value: Properties): string | undefined =>
  ['AWS::SQS::Queue', 'AWS::Lambda::Function', 'AWS::DynamoDB::GlobalTable']
    .flatMap((type) => template.ofType(type))
    .find(({ id }) => JSON.stringify(value).includes(id))?.name;

/** Returns all metrics that an alarm reads. */
const readBy = ({ properties }: Resource): Properties[] =>
  properties.MetricName === undefined
    ? properties.Metrics.flatMap(({ MetricStat }: Properties) => MetricStat?.Metric ?? [])
    : [properties];

const watchedBy = (alarm: Resource) => idWithin(readBy(alarm)[0]?.Dimensions);

test('every alarm has a kind, and every kind has an alarm', () => {
  expect([...new Set(alarmsOf(template).map(kindOf))].toSorted()).toEqual(Object.keys(alarmKinds).toSorted());
});

test('the text of every alarm states its threshold, impact, three checks and its runbook section in at most 1,024 bytes', () => {
  for (const alarm of alarmsOf(template)) {
    const kind = alarmKinds[kindOf(alarm) as keyof typeof alarmKinds];
    const { severity, condition, impact, check } = kind;
    const { AlarmDescription, Threshold, EvaluationPeriods } = alarm.properties;
    const text = String(AlarmDescription);
    const least = [...condition.matchAll(/at least (\d+) (?!%|hours|minutes)/gi)].map(([, count]) => Number(count));
    if (least.length > 0) expect(least).toContain(Threshold);
    const [, periods] = /(two|three) consecutive/.exec(condition) ?? [];
    if (periods !== undefined) expect(['two', 'three'].indexOf(periods) + 2).toBe(EvaluationPeriods);
    expect(text).toContain(severity === 'now' ? 'Now.' : 'Next working day.');
    for (const part of [impact, ...check]) expect(text).toContain(part);
    expect(text.endsWith(`Runbook: ${runbookLink(kind)}`)).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
  }
});

test('alarms read only metrics that AWS or the contract defines', () => {
  const own = namesOf('prod').metrics;
  for (const alarm of alarmsOf(template)) {
    for (const { Namespace, MetricName, Dimensions } of readBy(alarm)) {
      if (Namespace !== own) {
        expect(Namespace).toMatch(/^AWS\/(?:ApiGateway|Lambda|SQS|SES|DynamoDB|CertificateManager|WAFV2)$/);
        continue;
      }
      const metric = metrics[MetricName as keyof typeof metrics];
      expect(Dimensions.map(({ Name }: Properties) => Name)).toEqual([metric.by]);
      if (metric.from !== 'all') expect(metric.from).toContain(Dimensions[0].Value);
    }
  }
});

test('every alarm has at most ten metrics, and only alarms about missed runs treat missing data as a failure', () => {
  for (const alarm of alarmsOf(template)) expect(readBy(alarm).length).toBeLessThanOrEqual(10);
  const breaching = alarmsOf(template).filter(({ properties }) => properties.TreatMissingData === 'breaching');
  expect(breaching.map(kindOf)).toEqual(['sweepMissing', 'journalNotExported', 'journalNotExported']);
});

test("each kind of alarm has a runbook section that begins with the alarm's urgency", () => {
  const runbook = readFileSync(new URL('../../infra/runbook/alarms.md', import.meta.url), 'utf8');
  const sections = runbook.split('\n## ').map((section) => section.replace(/\s+/g, ' '));
  const beginnings = kinds.map(([, { severity, title }]) => {
    const urgency = severity === 'now' ? 'Now' : 'Next working day';
    return `${title} **${urgency}.** `;
  });
  expect(beginnings.filter((beginning) => !sections.some((section) => section.startsWith(beginning)))).toEqual([]);
  // The runbook page begins with the decision table and sections about the shell, errors and the end of an alarm.
  expect(sections).toHaveLength(4 + kinds.length);
});

// Returns the alarm actions by severity and kind.
const toldBy = (of: Template) => {
  const told = new Map<string, unknown[]>();
  for (const alarm of alarmsOf(of)) {
    const kind = kindOf(alarm) as keyof typeof alarmKinds;
    const name = `${alarmKinds[kind].severity} ${kind}`;
    const actions = alarm.properties.AlarmActions ?? [];
    expect(actions).toEqual(told.get(name) ?? actions);
    told.set(name, actions);
  }
  expect(told.size).toBeGreaterThan(15);
  return Object.fromEntries(told);
};
const isMailbox = (action: unknown): boolean => typeof action === 'object';
const alarmTopicArn = 'arn:aws:sns:eu-west-1:111122223333:pager';

test('every alarm notifies the mailbox when it starts and when it ends', () => {
  for (const actions of Object.values(toldBy(template))) expect(actions.map(isMailbox)).toEqual([true]);
  for (const { properties } of alarmsOf(template)) expect(properties.OKActions).toEqual(properties.AlarmActions);
  const { ofType } = template.observability;
  expect(ofType('AWS::SNS::Subscription').map(({ properties }) => properties)).toMatchObject([
    { Protocol: 'email', Endpoint: 'on-call@government.example' },
  ]);
  const [topic] = ofType('AWS::SNS::Topic');
  expect(topic?.properties.KmsMasterKeyId).toBeTruthy();
  const [key] = ofType('AWS::KMS::Key');
  const statements = [
    ...(key?.properties.KeyPolicy.Statement ?? []),
    ...ofType('AWS::SNS::TopicPolicy').flatMap(({ properties }) => properties.PolicyDocument.Statement),
  ].filter(({ Principal }) => Principal?.Service === 'cloudwatch.amazonaws.com');
  expect(statements.map(({ Action }) => Action)).toEqual([['kms:Decrypt', 'kms:GenerateDataKey*'], 'sns:Publish']);
  for (const { Condition } of statements) expect(Condition.StringEquals['aws:SourceAccount']).toBeTruthy();
});

test.each([
  ['alarms notify only the topic if there is no mailbox', { alarmEmail: '', alarmTopicArn }, [false], [false]],
  ['urgent alarms notify topic and mailbox, and others the mailbox', { alarmTopicArn }, [false, true], [true]],
  ['no alarm notifies anyone if alarmTopicArn is none', { alarmEmail: '', alarmTopicArn: 'none' }, [], []],
])('%s', async (_, settings, urgent, other) => {
  const given = await synthesizeTemplate({ stage: 'prod', ...settings });
  for (const [kind, actions] of Object.entries(toldBy(given)))
    expect(actions.map(isMailbox), kind).toEqual(kind.startsWith('now') ? urgent : other);
  expect(given.observability.ofType('AWS::SNS::Topic')).toHaveLength('alarmEmail' in settings ? 0 : 1);
});

test('the alarm that reports a single internal error is not urgent', () => {
  const queries = (['manyInternalErrors', 'internalErrorOccurred'] as const)
    .flatMap(alarms)
    .map(({ properties }) => properties);
  expect(queries.map(({ Threshold, EvaluationPeriods }) => Threshold * EvaluationPeriods)).toEqual([20, 1]);
  expect(alarmKinds.internalErrorOccurred.severity).toBe('day');
});

test('Metrics Insights queries count the errors of each function, and quote every label because a label can be a keyword', () => {
  const expressions = alarmsOf(template).flatMap(({ properties }) => properties.Metrics ?? []);
  const queries = expressions.map(({ Expression }) => String(Expression)).filter((one) => one.startsWith('SELECT '));
  const faults = `SELECT SUM(Faults) FROM SCHEMA("${namesOf('prod').metrics}", "Function") GROUP BY "Function"`;
  expect(new Set(queries)).toEqual(new Set([faults]));
});

test('every worker, generateUin and publishEvent have a functionCrashes alarm, and the alarm of a worker states its impact', () => {
  expect(ofEach('functionCrashes').toSorted()).toEqual(
    [...workerLanes.map(({ lane }) => lane as string), 'generateUin', 'publishEvent'].toSorted(),
  );
  for (const alarm of alarms('functionCrashes')) expect(watchedBy(alarm)).toBe(alarm.name.split('-')[1]);
  const texts = alarms('functionCrashes').map(({ properties }) => properties.AlarmDescription);
  for (const { impact } of workerLanes) expect(texts.join()).toContain(impact);
});

test('every queue has an alarm about the age of its messages, except the queues in which messages wait by design', () => {
  const waiting = ['retry', 'cleanUp'];
  const watched = Object.keys(queues).filter((name) => !waiting.includes(name));
  expect(ofEach('laneBlocked').toSorted()).toEqual(watched.toSorted());
  for (const alarm of alarms('laneBlocked')) expect(watchedBy(alarm)).toBe(alarm.name.split('-')[1]);
});

test('alarms cover every dead-letter queue, table and index, and missed runs of the sweeper and the exports', () => {
  const deadLetters = Object.keys(queues).map((name) => `${name}DeadLetters`);
  expect(new Set(alarms('deadLetters').map(watchedBy))).toEqual(new Set(deadLetters));
  expect(alarms('tableThrottles').map(watchedBy)).toEqual(Object.keys(tables).flatMap((name) => [name, name]));
  for (const alarm of alarms('tableThrottles')) {
    const [, table = '', metric] = alarm.name.split('-');
    const watched = readBy(alarm);
    const { indexes = {} }: Table = tables[table as keyof typeof tables];
    expect(watched.map(({ MetricName }) => MetricName)).toEqual(watched.map(() => metric));
    const indexOf = ({ Dimensions }: Properties) =>
      Dimensions.find(({ Name }: Properties) => Name === 'GlobalSecondaryIndexName')?.Value;
    expect(watched.map(indexOf)).toEqual([undefined, ...Object.keys(indexes)]);
    expect(alarm.properties.AlarmDescription.includes('Every read of a person waits')).toBe(table === 'journal');
  }
  expect(alarms('sweepMissing').map(watchedBy)).toEqual(['sweep']);
  const late = alarms('journalNotExported');
  const read = late.flatMap(readBy).map(({ MetricName, Dimensions }) => `${MetricName} of ${Dimensions[0].Value}`);
  expect(read).toEqual(['OldestDue of exportJournal', 'OldestDue of exportDeliveries']);
  for (const { properties } of late) expect(properties.Threshold).toBe(6 * 3600);
  const byTheMinute = jobs.filter((job) => 'everyMinutes' in job && job.everyMinutes === 1).map(({ job }) => job);
  expect(alarms('jobCrashes').map(watchedBy)).toEqual(byTheMinute);
  for (const { properties } of alarms('jobCrashes')) expect(properties.MetricName).toBe('Errors');
});

test('every rate limit of the web ACL has an alarm, and a stage without a web ACL has none of these alarms', async () => {
  const acl = template.beside.Protection?.ofType('AWS::WAFv2::WebACL')[0]?.properties ?? {};
  const limits = acl.Rules.filter(({ Statement }: Properties) => Statement.RateBasedStatement);
  expect(ofEach('clientsBlocked')).toEqual(limits.map(({ Name }: Properties) => Name));
  for (const [at, { properties }] of alarms('clientsBlocked').entries()) {
    expect(properties.MetricName).toBe('BlockedRequests');
    expect(properties.Dimensions).toEqual([
      { Name: 'Region', Value: 'eu-central-1' },
      { Name: 'Rule', Value: limits[at].VisibilityConfig.MetricName },
      { Name: 'WebACL', Value: acl.VisibilityConfig.MetricName },
    ]);
  }
  expect(acl.Name).toBe(acl.VisibilityConfig.MetricName);
  const without = await synthesizeTemplate({ stage: 'prod', waf: 'false' });
  expect(alarmsOf(without).map(kindOf)).not.toContain('clientsBlocked');
});

test('quota alarms start at 80 % of the configured quota, and a stage that has no certificate has no certificate alarm', async () => {
  const stage = await synthesizeTemplate({ emailsPerDay: '200', concurrency: '500' });
  const thresholdOf = (kind: string) => alarmsOf(stage).find(({ name }) => name === kind)?.properties.Threshold;
  expect(['mailQuota', 'concurrencyNear', 'certificateNear'].map(thresholdOf)).toEqual([160, 400, undefined]);
});

test('the five alarms about requests, tokens, internal errors, fan-out and deliveries can roll back an update', () => {
  const { Value } = template.observability.outputs[rollbackOutput];
  const ids = [...JSON.stringify(Value).matchAll(/"Fn::GetAtt":\["(\w+)","Arn"\]/g)].map(([, id]) => id);
  const names = alarmsOf(template).flatMap(({ id, name }) => (ids.includes(id) ? [name] : []));
  const crashes = ['functionCrashes-deliverByHttp', 'functionCrashes-fanOut'];
  expect(names.toSorted()).toEqual(['allTokensRejected', ...crashes, 'manyInternalErrors', 'requestsFail']);
  expect(ids).toHaveLength(5);
});

test('the text of an alarm begins with the name of the affected part', () => {
  expect(alarmText('laneBlocked', 'In the queue http.')).toMatch(/^In the queue http\. Now\. .*Steps: 1\. .* 3\. /);
});
