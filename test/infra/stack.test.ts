import { beforeAll, expect, test } from 'vitest';
import { fileOf } from '../../infra/build/functions-list.ts';
import { readStage } from '../../infra/settings/read-stage.ts';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { bucketQueues } from '../../shared/contract/buckets.ts';
import { actionsOf, capabilities, variableOf } from '../../shared/contract/capabilities.ts';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { exportDeliveries, exportJournal, jobs, redeliver, sweep } from '../../shared/contract/jobs.ts';
import { bundleVariable } from '../../shared/contract/log-lines.ts';
import { metricVariables } from '../../shared/contract/metrics.ts';
import { queues } from '../../shared/contract/queue-names.ts';
import { secrets } from '../../shared/contract/secret-names.ts';
import { settingVariable } from '../../shared/contract/settings.ts';
import { tables } from '../../shared/contract/tables.ts';
import { workerLanes } from '../../shared/contract/workers.ts';
import { limits } from '../../shared/documents/conversion-limits.ts';
import { mailCopies, mailTimes } from '../../shared/domain/deliveries/mail-pace.ts';
import { receiverTimes } from '../../shared/domain/deliveries/times.ts';
import { type Properties, type Resource, synthesizeTemplate } from '../harness/template.ts';

let template: Awaited<ReturnType<typeof synthesizeTemplate>>;
let changed: typeof template;
beforeAll(async () => {
  template = await synthesizeTemplate();
  const settings = {
    ...{ receiverTimeoutSeconds: '3', concurrency: '100', emailsPerSecond: '1', warmWritesPerSecond: '12000' },
    ...{ journalLockDays: '3650', journalLockMode: 'compliance', documentVersionDays: '400' },
    documentTieringDays: '0',
  };
  changed = await synthesizeTemplate(settings);
});

const named = (resources: Resource[], name: string): Properties => {
  const found = resources.filter((resource) => resource.name === name);
  expect(found, name).toHaveLength(1);
  return found[0]?.properties ?? {};
};
const properties = (type: string): Properties[] => template.ofType(type).map((one) => one.properties);
const lambda = (name: string): Properties => named(template.ofType('AWS::Lambda::Function'), name);
const queue = (name: string): Properties => named(template.ofType('AWS::SQS::Queue'), name);

const functions = [
  ...endpoints.map((one) => ({ ...one, name: one.operation as string, file: fileOf(one) })),
  ...workerLanes.map((one) => ({ ...one, name: one.lane as string, runsOn: undefined })),
  ...jobs.map((one) => ({ ...one, name: one.job as string, runsOn: undefined })),
  { ...authorizer, uses: [], runsOn: undefined },
];

test.each(functions)('$name runs Node 24 on arm64, logs JSON, and names its bundle and metrics', ({ name, file }) => {
  const { Environment, ...properties } = lambda(name);
  expect(properties).toMatchObject({
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    // Lambda gives a line with metrics the level INFO, and drops lines below the log level of the function.
    LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'INFO', SystemLogLevel: 'WARN' },
  });
  expect(Environment.Variables).toMatchObject({
    [metricVariables.namespace]: namesOf('dev').metrics,
    [metricVariables.function]: name,
    // Without bundling, the name of the bundled file replaces the hash of the bundle.
    [bundleVariable]: file,
  });
});

test.each(functions)('$name has exactly its declared environment variables', ({ name, uses, reads, runsOn }) => {
  const declared = [
    ...Object.keys(runsOn?.variables ?? {}),
    ...uses.map((use) => variableOf(capabilities[use])),
    ...reads.map((read) => settingVariable(read)),
    // This Node.js variable prevents slow DNS lookups for some receivers from blocking lookups for other receivers.
    ...(['deliverByHttp', 'deliverToMany', 'deliverSlowly', 'requestConfirmationByHttp'].includes(name)
      ? ['UV_THREADPOOL_SIZE']
      : []),
    bundleVariable,
    ...Object.values(metricVariables),
  ];
  expect(Object.keys(lambda(name).Environment?.Variables ?? {}).sort()).toEqual([...new Set(declared)].sort());
});

test.each(functions)('$name has exactly the permissions that its capabilities require', ({ name, uses }) => {
  const statements = template.statementsOf(name);
  const isFeed = ({ Action }: Properties) => [Action].flat().includes('sqs:ReceiveMessage');
  // If a function reads from a queue and also sends to it, one statement grants both permissions.
  const feeding = /^sqs:(?:ReceiveMessage|DeleteMessage|GetQueueAttributes)$/;
  const isLogging = ({ Action }: Properties) => [Action].flat().includes('logs:PutLogEvents');
  expect(statements.filter(isLogging).map(({ Action }) => Action)).toEqual([
    ['logs:CreateLogStream', 'logs:PutLogEvents'],
  ]);
  const granted = statements
    .filter((statement) => !isLogging(statement))
    .flatMap((statement) =>
      [statement.Action].flat().filter((action: string) => !(isFeed(statement) && feeding.test(action))),
    );
  expect([...new Set(granted)].sort()).toEqual(
    [...new Set(uses.flatMap((use) => actionsOf(capabilities[use])))].sort(),
  );
  expect(statements.filter(isFeed)).toHaveLength(workerLanes.some(({ lane }) => lane === name) ? 1 : 0);
  for (const { Action, Resource: resource, Condition } of statements) {
    if (resource === '*') {
      // IAM does not define a resource for this action, so only a condition can limit the permission to the Region.
      expect(Action).toBe('ses:DeleteSuppressedDestination');
      expect(Condition).toEqual({ StringEquals: { 'aws:RequestedRegion': { Ref: 'AWS::Region' } } });
    }
    if (JSON.stringify(resource).includes('identity/*'))
      expect(Condition?.StringEquals['ses:FromAddress']).toBeTruthy();
  }
});

test('functions can add and read journal rows but cannot change or remove them', () => {
  const journal = template.idOf('AWS::DynamoDB::GlobalTable', 'journal');
  const granted = template
    .statementsOf()
    .filter(({ Resource: resource }) => JSON.stringify(resource).includes(journal))
    .flatMap(({ Effect, Action }) => [Action].flat().map((action: string) => `${Effect} ${action}`));
  expect(granted.length).toBeGreaterThan(4);
  const allowed = ['PutItem', 'BatchWriteItem', 'Query', 'DescribeTable'].map((action) => `Allow dynamodb:${action}`);
  expect(granted.filter((one) => !allowed.includes(one))).toEqual([]);
});

test.each(workerLanes)('Lambda does not stop $lane when it sends messages to the queue that it reads', ({ lane }) => {
  expect(lambda(lane).RecursiveLoop).toBe('Allow');
});

test('policies allow AWS services to act only on behalf of resources in this account', () => {
  const kinds = ['KMS::Key', 'SNS::TopicPolicy', 'SQS::QueuePolicy', 'S3::BucketPolicy'];
  const policies = kinds.flatMap((kind) => template.ofType(`AWS::${kind}`));
  const lettings = [
    ...policies.flatMap(({ id, properties }) =>
      ((properties.PolicyDocument ?? properties.KeyPolicy).Statement as Properties[])
        .filter(({ Effect, Principal }) => Effect === 'Allow' && Principal.Service !== undefined)
        .map(({ Principal, Condition }) => ({ id, service: Principal.Service, conditions: Condition })),
    ),
    ...template
      .ofType('AWS::Lambda::Permission')
      .map(({ id, properties: { Principal, SourceArn } }) => ({ id, service: Principal, conditions: { SourceArn } })),
  ];
  const isBound = (conditions: unknown) => /Source(?:Arn|Account)":/i.test(JSON.stringify(conditions ?? {}));
  expect(lettings.filter(({ conditions }) => !isBound(conditions))).toEqual([]);
  const services = new Set(lettings.map(({ service }) => service.replace('.amazonaws.com', '')));
  expect(services).toEqual(new Set(['ses', 'sns', 's3', 'apigateway', 'events']));
});

test.each(Object.keys(queues))('%s is encrypted and keeps a throttled message for at least half an hour', (name) => {
  const dead = template.ofType('AWS::SQS::Queue').find((one) => one.name === `${name}DeadLetters`);
  expect(queue(name).RedrivePolicy.deadLetterTargetArn['Fn::GetAtt'][0]).toBe(dead?.id);
  for (const properties of [queue(name), dead?.properties]) expect(properties?.SqsManagedSseEnabled).toBe(true);
  expect(dead?.properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
  const { RedrivePolicy, VisibilityTimeout } = queue(name);
  expect(RedrivePolicy.maxReceiveCount * VisibilityTimeout).toBeGreaterThanOrEqual(29 * 60);
  expect(RedrivePolicy.maxReceiveCount).toBeLessThanOrEqual(100);
});

test('all queues reject unencrypted connections, and each queue has one policy', () => {
  const policies = properties('AWS::SQS::QueuePolicy');
  const covered = policies.flatMap(({ Queues }): Properties[] => Queues).map(({ Ref }) => Ref);
  const all = template.ofType('AWS::SQS::Queue').map(({ id }) => id);
  expect(covered.toSorted()).toEqual(all.toSorted());
  for (const { PolicyDocument } of policies) {
    const Condition = { Bool: { 'aws:SecureTransport': 'false' } };
    const denied = { Effect: 'Deny', Action: 'sqs:*', Condition };
    expect(PolicyDocument.Statement).toContainEqual(expect.objectContaining(denied));
  }
});

test.each([
  ['deliverByHttp', 'http', receiverTimes({ receiverTimeoutSeconds: 3 })],
  ['deliverByEmail', 'email', mailTimes({ emailsPerSecond: 1 })],
])('%s and the queue %s have the time limits that the settings require', (name, itsQueue, times) => {
  expect(named(changed.ofType('AWS::Lambda::Function'), name).Timeout).toBe(times.functionSeconds);
  expect(named(changed.ofType('AWS::SQS::Queue'), itsQueue).VisibilityTimeout).toBe(times.visibilitySeconds);
});

test.each(workerLanes)('$lane times out before its messages reappear, and reports each failed message', (one) => {
  expect(queue(one.queue).VisibilityTimeout).toBeGreaterThan(lambda(one.lane).Timeout);
  const id = template.idOf('AWS::Lambda::Function', one.lane);
  const sources = template
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => properties.FunctionName.Ref === id);
  expect(sources.map(({ properties }) => properties)).toMatchObject([
    { BatchSize: one.batchSize, FunctionResponseTypes: ['ReportBatchItemFailures'] },
  ]);
});

type Template = Awaited<ReturnType<typeof synthesizeTemplate>>;
const maxima = ({ ofType }: Template): number[] =>
  ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) => properties.ScalingConfig.MaximumConcurrency);
const reserves = ({ ofType }: Template): (readonly [string, number])[] =>
  ofType('AWS::Lambda::Function')
    .filter(({ properties }) => properties.ReservedConcurrentExecutions !== undefined)
    .map(({ name, properties }) => [name, properties.ReservedConcurrentExecutions] as const);

test("queues leave part of the account's concurrency unused, and the authorizer and generateUin reserve parts of it", async () => {
  expect(maxima(template)).toHaveLength(workerLanes.length);
  expect(maxima(template).reduce((sum, most) => sum + most)).toBeLessThanOrEqual(700);
  const production = await synthesizeTemplate({ stage: 'prod', concurrency: '1000' });
  expect(reserves(production)).toEqual([
    ['authorize', 50],
    ['generateUin', 50],
  ]);
  expect(maxima(changed).reduce((sum, most) => sum + most)).toBeLessThanOrEqual(70);
  // AWS does not allow values below 2.
  expect(Math.min(...maxima(changed))).toBe(2);
  expect(reserves(changed)).toEqual([]);
});

test('together, the example stages use at most the default concurrency quota of 1,000', async () => {
  const shares = await Promise.all(['prod', 'test'].map(async (stage) => readStage({ stage })));
  expect(shares.reduce((sum, { concurrency }) => sum + Number(concurrency), 0)).toBeLessThanOrEqual(1000);
});

const secret = (name: string) => template.ofType('AWS::SecretsManager::Secret').find((one) => one.name === name);

test.each(Object.keys(secrets))('the stack generates the secret %s, which outlives the stack', (name) => {
  expect(secret(name)?.deletionPolicy).toBe('RetainExceptOnCreate');
  expect(secret(name)?.properties).toMatchObject({ GenerateSecretString: { PasswordLength: 64 } });
});

test('no principal can change the value of the naming secret', () => {
  const changing = ['PutSecretValue', 'UpdateSecret', 'DeleteSecret'].map((one) => `secretsmanager:${one}`);
  const statement = { Effect: 'Deny', Principal: { AWS: '*' }, Action: expect.arrayContaining(changing) };
  expect(properties('AWS::SecretsManager::ResourcePolicy')).toMatchObject([
    { SecretId: { Ref: secret('naming')?.id }, ResourcePolicy: { Statement: [statement] } },
  ]);
});

const idOf = (name: string) => template.idOf('AWS::Lambda::Function', name);

test('a job that declares a schedule runs on that schedule', () => {
  const rules = properties('AWS::Events::Rule');
  const clock = (schedule: string, job: string) => [schedule, 'ENABLED', { 'Fn::GetAtt': [idOf(job), 'Arn'] }];
  expect(rules.map((one) => [one.ScheduleExpression, one.State, one.Targets[0].Arn])).toEqual([
    clock('rate(1 minute)', sweep.job),
    clock('rate(15 minutes)', exportJournal.job),
    clock('rate(15 minutes)', exportDeliveries.job),
  ]);
  expect(sweep.everyMinutes).toBe(1);
  expect(redeliver).not.toHaveProperty('everyMinutes');
});

test.each(jobs)('$job can run for as long as it declares, but ends before its next scheduled start', (one) => {
  expect(lambda(one.job).Timeout).toBe(one.timeoutSeconds);
  expect(lambda(one.job).MemorySize).toBe('memoryMegabytes' in one ? one.memoryMegabytes : 512);
  if ('everyMinutes' in one) expect(one.timeoutSeconds).toBeLessThan(one.everyMinutes * 60);
});

test.each(jobs)(
  'Lambda does not retry a scheduled run of $job, and drops a throttled run before the next run',
  (one) => {
    const configured = properties('AWS::Lambda::EventInvokeConfig');
    const its = configured.filter(({ FunctionName }) => FunctionName.Ref === idOf(one.job));
    const seconds = 'everyMinutes' in one ? [one.everyMinutes * 60] : [];
    expect(its).toMatchObject(seconds.map((age) => ({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: age })));
  },
);

test('every route requires the authorizer unless it is public', () => {
  const methods = properties('AWS::ApiGateway::Method');
  const open = endpoints.filter(({ scopes }) => scopes.length === 0);
  for (const { AuthorizationType, AuthorizerId, OperationName } of methods) {
    const isOpen = open.some(({ operation }) => operation === OperationName);
    expect([OperationName, AuthorizationType]).toEqual([OperationName, isOpen ? 'NONE' : 'CUSTOM']);
    expect(AuthorizerId === undefined).toBe(isOpen);
  }
});

test("routes cache the authorizer's response per route and token", () => {
  const [authorizing] = template.ofType('AWS::ApiGateway::Authorizer');
  expect(authorizing?.properties).toMatchObject({
    Type: 'REQUEST',
    AuthorizerResultTtlInSeconds: 60,
    IdentitySource: 'method.request.header.Authorization,context.httpMethod,context.resourcePath',
  });
});

test('mail is sent by a few function instances, so that the sending rate is not exceeded', () => {
  const id = template.idOf('AWS::Lambda::Function', 'deliverByEmail');
  const source = properties('AWS::Lambda::EventSourceMapping').find(({ FunctionName }) => FunctionName.Ref === id);
  expect(source?.ScalingConfig).toEqual({ MaximumConcurrency: mailCopies });
});

test('SES bounces, complaints and rejects reach the feedback queue unchanged through an encrypted topic', () => {
  const [set] = properties('AWS::SES::ConfigurationSet');
  expect(set?.Name).toBe(namesOf('dev').configurationSet);
  expect(set?.SuppressionOptions).toEqual({ SuppressedReasons: ['BOUNCE', 'COMPLAINT'] });
  const [destination] = properties('AWS::SES::ConfigurationSetEventDestination');
  expect(destination?.EventDestination).toMatchObject({ MatchingEventTypes: ['bounce', 'complaint', 'reject'] });
  expect(properties('AWS::SNS::Topic')[0]?.KmsMasterKeyId).toBeDefined();
  expect(properties('AWS::SNS::Subscription')).toMatchObject([
    {
      ...{ Protocol: 'sqs', RawMessageDelivery: true },
      ...{ FilterPolicyScope: 'MessageBody', FilterPolicy: { eventType: ['Bounce', 'Complaint', 'Reject'] } },
    },
  ]);
});

test.each(Object.keys(tables))('the table %s has point-in-time recovery and outlives the stack', (name) => {
  const table = template.ofType('AWS::DynamoDB::GlobalTable').find((one) => one.name === name);
  expect(table?.deletionPolicy).toBe('RetainExceptOnCreate');
  expect(table?.properties).toMatchObject({
    Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
    SSESpecification: { SSEEnabled: true },
  });
});

test.each(['documents', 'exportedJournal'])('the bucket %s is versioned, encrypted, private and retained', (name) => {
  const bucket = template.ofType('AWS::S3::Bucket').find((one) => one.name === name);
  expect(bucket?.deletionPolicy).toBe('RetainExceptOnCreate');
  expect(bucket?.properties).toMatchObject({
    VersioningConfiguration: { Status: 'Enabled' },
    BucketEncryption: { ServerSideEncryptionConfiguration: [expect.anything()] },
    PublicAccessBlockConfiguration: {
      ...{ BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true },
    },
  });
  const policies = properties('AWS::S3::BucketPolicy');
  const policy = policies.find(({ Bucket }) => Bucket.Ref === bucket?.id);
  const text = JSON.stringify(policy?.PolicyDocument);
  expect(text).toContain('"aws:SecureTransport":"false"');
  expect(text).toContain('"s3:TlsVersion":1.2');
});

const journalBucket = (of: typeof template) =>
  of.ofType('AWS::S3::Bucket').find(({ name }) => name === 'exportedJournal');

test('the exported journal is locked for the configured number of days and then expires', async () => {
  for (const [of, days, mode] of [[template, 400, 'GOVERNANCE'] as const, [changed, 3650, 'COMPLIANCE'] as const]) {
    expect(journalBucket(of)?.properties).toMatchObject({
      ObjectLockEnabled: true,
      ObjectLockConfiguration: { Rule: { DefaultRetention: { Days: days, Mode: mode } } },
    });
    const rules = journalBucket(of)?.properties.LifecycleConfiguration.Rules as Properties[];
    expect(rules.flatMap(({ ExpirationInDays }) => ExpirationInDays ?? [])).toEqual([days, days]);
    expect(rules.at(-1)).toMatchObject({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } });
  }
});

test('only the export jobs can write to the exported journal, and they can neither read nor remove objects', () => {
  const id = journalBucket(template)?.id ?? '-';
  const statements = template.statementsOf().filter((one) => JSON.stringify(one.Resource).includes(id));
  expect(statements.flatMap(({ Action }) => Action).toSorted()).toEqual([
    ...['s3:AbortMultipartUpload', 's3:AbortMultipartUpload'],
    ...['s3:ListBucket', 's3:ListBucket'],
    ...['s3:PutObject', 's3:PutObject'],
  ]);
});

const bucket = () => named(template.ofType('AWS::S3::Bucket'), 'documents');

test('the documents bucket notifies its queues, which accept S3 messages only from buckets of this stack', () => {
  const told = bucket().NotificationConfiguration.QueueConfigurations as Properties[];
  const idOf = (name: string) => template.idOf('AWS::SQS::Queue', name);
  const rule = (Event: string, queueName: string, prefix: string, ...suffixes: string[]) => ({
    Event: `s3:${Event}:*`,
    Queue: { 'Fn::GetAtt': [idOf(queueName), 'Arn'] },
    Filter: {
      S3Key: { Rules: [{ Name: 'prefix', Value: prefix }, ...suffixes.map((Value) => ({ Name: 'suffix', Value }))] },
    },
  });
  const kinds = ['ObjectCreated', 'ObjectRemoved', 'LifecycleExpiration'];
  expect(told).toEqual([
    ...kinds.map((kind) => rule(kind, 'documentEvents', 'documents/')),
    ...['.ndjson', '.csv'].map((suffix) => rule('ObjectCreated', 'imports', 'imports/', suffix)),
  ]);
  const isFed = ({ properties: { PolicyDocument } }: Resource) => /s3\.amazonaws/.test(JSON.stringify(PolicyDocument));
  const fed = template.ofType('AWS::SQS::QueuePolicy').filter(isFed);
  const letIn = fed[0]?.properties.PolicyDocument.Statement.find(({ Effect }: Properties) => Effect === 'Allow');
  expect(letIn).toMatchObject({
    Action: 'sqs:SendMessage',
    Condition: {
      StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
      ArnLike: {
        'aws:SourceArn': { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':s3:::identityregistry-dev-dat*']] },
      },
    },
  });
  // S3 immediately sends a test message to each queue, so the queue policies must exist before the bucket.
  const [{ id = '', dependsOn = [] } = {}] = template.ofType('AWS::S3::Bucket');
  expect(fed).toHaveLength(bucketQueues.length);
  expect(dependsOn).toEqual(expect.arrayContaining(fed.map((one) => one.id)));
  expect(JSON.stringify(fed)).not.toContain(id);
});

test('documents and their old versions move to S3 Intelligent-Tiering only if documentTieringDays is set', () => {
  const rulesOf = ({ ofType }: typeof template): Properties[] =>
    ofType('AWS::S3::Bucket').find(({ name }) => name === 'documents')?.properties.LifecycleConfiguration.Rules;
  const [rule, ...others] = rulesOf(changed).filter(({ Transitions }) => Transitions !== undefined);
  const transition = { StorageClass: 'INTELLIGENT_TIERING', TransitionInDays: 0 };
  expect(rule).toMatchObject({
    ...{ Prefix: 'documents/', Status: 'Enabled' },
    ...{ Transitions: [transition], NoncurrentVersionTransitions: [transition] },
  });
  expect([...others, ...rulesOf(template).filter(({ Transitions }) => Transitions !== undefined)]).toEqual([]);
});

test('readDocument can list only the prefixes of documents and conversions and can write only conversions', () => {
  const statements = template.statementsOf('readDocument');
  const listing = statements.filter(({ Action }) => [Action].flat().includes('s3:ListBucket'));
  const prefixes = listing.flatMap(({ Condition }) => Condition?.StringLike?.['s3:prefix']);
  expect(prefixes.toSorted()).toEqual(['documents/*', 'renditions/*']);
  const writing = statements.filter(({ Action }) => [Action].flat().includes('s3:PutObject'));
  expect(JSON.stringify(writing.map(({ Resource: resource }) => resource))).toMatch(/^(?!.*documents\/).*renditions\//);
});

test('readDocument has its own memory size, streams documents, and has enough time to convert and send them', () => {
  const { Timeout, MemorySize } = lambda('readDocument');
  expect(MemorySize).toBe(2048);
  const methods = properties('AWS::ApiGateway::Method');
  const its = methods.filter(({ OperationName }) => OperationName === 'readDocument');
  // There is one integration for GET requests and one for HEAD requests.
  expect(its).toHaveLength(2);
  for (const { Integration } of its) {
    expect(Integration).toMatchObject({ ResponseTransferMode: 'STREAM', TimeoutInMillis: Timeout * 1000 });
    expect(JSON.stringify(Integration.Uri)).toContain('/response-streaming-invocations');
  }
  // Lambda streams at most 200 MB: the first 6 MB immediately, and then 2 MB per second. A stream can last up to 15
  // minutes.
  expect(Timeout).toBeGreaterThanOrEqual(limits.totalMilliseconds / 1000 + (200 - 6) / 2);
  expect(Timeout).toBeLessThanOrEqual(900);
});

test('the role that API Gateway uses to write the logs of all stages in an account outlives each stage', () => {
  const [account] = template.ofType('AWS::ApiGateway::Account');
  const arn = JSON.stringify(account?.properties.CloudWatchRoleArn);
  const role = template.ofType('AWS::IAM::Role').find(({ id }) => arn.includes(`"${id}"`));
  expect([account?.deletionPolicy, role?.deletionPolicy]).toEqual(['Retain', 'Retain']);
});

test('the template contains no CDK metadata, which would report its constructs to AWS', () => {
  expect(template.types).toContain('AWS::Lambda::Function');
  expect(template.types).not.toContain('AWS::CDK::Metadata');
});

test('only the tables subscriptions, deliveries and journal and their indexes have the configured warm throughput', async () => {
  const writes = (of: { ofType(type: string): Resource[] }) =>
    of
      .ofType('AWS::DynamoDB::GlobalTable')
      .flatMap(({ properties }) =>
        [properties, ...((properties.GlobalSecondaryIndexes ?? []) as Properties[])].flatMap(
          ({ WarmThroughput }: Properties) => WarmThroughput?.WriteUnitsPerSecond ?? [],
        ),
      );
  expect(writes(template)).toEqual([]);
  // Three tables with two indexes each make nine tables and indexes.
  expect(writes(changed)).toEqual(Array(9).fill(12_000));
  // The warm read throughput of a table is at most the default quota of 40,000 reads per second.
  const hot = await synthesizeTemplate({ warmWritesPerSecond: '40000' });
  const reads = hot.ofType('AWS::DynamoDB::GlobalTable').flatMap(({ properties }) => properties.WarmThroughput ?? []);
  expect(reads).toEqual(Array(3).fill({ ReadUnitsPerSecond: 40_000, WriteUnitsPerSecond: 40_000 }));
});
