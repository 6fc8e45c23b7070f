import { expect, test } from 'vitest';
import { readStage } from '../../infra/settings/read-stage.ts';
import { tables } from '../../shared/contract/tables.ts';
import { type Properties, synthesizeTemplate } from '../harness/template.ts';

const secretArn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:signing-AbCdE1';
const given = {
  restored: [
    ...Object.keys(tables).map((name) => `${name}=restored.${name}`),
    'documents=restored-documents',
    'exportedJournal=restored-journal',
    `signing=${secretArn}`,
  ].join(','),
};

test('the stack uses restored resources and their indexes, and creates no other resources for their stores', async () => {
  const { ofType, statementsOf, outputs } = await synthesizeTemplate(given);
  for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket']) expect(ofType(type)).toEqual([]);
  expect(ofType('AWS::SecretsManager::Secret').map(({ name }) => name)).toEqual(['naming']);
  expect(outputs).toMatchObject({
    personsTable: { Value: 'restored.persons' },
    documentsBucket: { Value: 'restored-documents' },
    signingSecret: { Value: secretArn },
  });
  const findPersons = ofType('AWS::Lambda::Function').find(({ name }) => name === 'findPersons')?.properties;
  expect(findPersons?.Environment.Variables).toMatchObject({ PERSONS_TABLE: 'restored.persons' });
  const resources = JSON.stringify(statementsOf('findPersons').map(({ Resource }) => Resource));
  expect(resources).toContain(':table/restored.persons"');
  expect(resources).toContain(':table/restored.persons/index/byBirth"');
});

test("the queues accept notifications from a restored bucket, and an output contains the bucket's notification configuration", async () => {
  const { ofType, outputs } = await synthesizeTemplate(given);
  const arnOf = (queue: string) => `${ofType('AWS::SQS::Queue').find(({ name }) => name === queue)?.id}.Arn`;
  const below = (Value: string) => ({ Name: 'prefix', Value });
  const configuration = JSON.parse(
    outputs.documentsNotifications?.Value['Fn::Join'][1]
      .map((part: string | Properties) => (typeof part === 'string' ? part : part['Fn::GetAtt'].join('.')))
      .join(''),
  );
  expect(configuration).toEqual({
    QueueConfigurations: [
      {
        QueueArn: arnOf('documentEvents'),
        Events: ['s3:ObjectCreated:*', 's3:ObjectRemoved:*', 's3:LifecycleExpiration:*'],
        Filter: { Key: { FilterRules: [below('documents/')] } },
      },
      ...['.ndjson', '.csv'].map((suffix) => ({
        QueueArn: arnOf('imports'),
        Events: ['s3:ObjectCreated:*'],
        Filter: { Key: { FilterRules: [below('imports/'), { Name: 'suffix', Value: suffix }] } },
      })),
    ],
  });
  const policies = JSON.stringify(ofType('AWS::SQS::QueuePolicy').map(({ properties }) => properties));
  expect(policies).toContain(':s3:::restored-documents"');
  expect(policies).not.toContain('identityregistry');
});

test("a production stage accepts restored resources only from the stage's file in infra/stages", async () => {
  await expect(readStage({ stage: 'prod', restored: 'persons=restored' })).rejects.toThrow(
    'setting restored of a production stage belongs in infra/stages/prod.ts, so that every deployment uses its value',
  );
  const other = { stage: 'test', restored: 'persons=restored' };
  expect(await readStage(other)).toMatchObject(other);
});

test.each([
  ['people=restored', 'there is no store people; the stores are persons, topics, '],
  ['restored', 'there is no store restored'],
  ['persons', 'persons must be the name of a table'],
  ['persons=one,documents=a-bucket,persons=two', 'must name each store once'],
  ['persons=arn:aws:dynamodb:eu-west-1:123456789012:table/persons', 'persons must be the name of a table'],
  ['documents=arn:aws:s3:::documents', 'documents must be the name of a bucket'],
  ['signing=signing', 'signing must be the complete ARN of a secret'],
  [`naming=${secretArn.slice(0, -7)}`, 'naming must be the complete ARN of a secret'],
])('restored=%s is rejected: %s', async (restored, reason) => {
  await expect(readStage({ restored })).rejects.toThrow(reason);
});
