import { expect, test } from 'vitest';
import { synthesizeWithoutCode } from '../../infra/build/synthesize.ts';
import { readStage } from '../../infra/settings/read-stage.ts';
import { tables } from '../../shared/contract/tables.ts';
import { type Properties, synthesizeTemplate } from '../harness/template.ts';

const secretArn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:signing-AbCdE1';
const given = {
  ...Object.fromEntries(Object.keys(tables).map((name) => [`${name}Table`, `restored.${name}`])),
  documentsBucket: 'restored-documents',
  exportedJournalBucket: 'restored-journal',
  signingSecret: secretArn,
};

test('what is given by name is used with its indexes, and is none of the stack’s own resources', async () => {
  const { ofType, outputs } = await synthesizeTemplate(given, synthesizeWithoutCode);
  for (const type of ['AWS::DynamoDB::Table', 'AWS::S3::Bucket']) expect(ofType(type)).toEqual([]);
  expect(ofType('AWS::SecretsManager::Secret').map(({ name }) => name)).toEqual(['naming']);
  expect(outputs).toMatchObject({
    personsTable: { Value: 'restored.persons' },
    documentsBucket: { Value: 'restored-documents' },
    signingSecret: { Value: secretArn },
  });
  const finding = ofType('AWS::Lambda::Function').find(({ name }) => name === 'findPersons')?.properties;
  expect(finding?.Environment.Variables).toMatchObject({ PERSONS_TABLE: 'restored.persons' });
  const statements: Properties[] = ofType('AWS::IAM::Policy')
    .filter(({ properties }) => properties.Roles.some(({ Ref }: Properties) => Ref === finding?.Role['Fn::GetAtt'][0]))
    .flatMap(({ properties }) => properties.PolicyDocument.Statement);
  const resources = JSON.stringify(statements.map(({ Resource }) => Resource));
  expect(resources).toContain(':table/restored.persons"');
  expect(resources).toContain(':table/restored.persons/index/byBirth"');
});

test('a bucket that is given by name is let in by its name, and an output says what to tell it', async () => {
  const { ofType, outputs } = await synthesizeTemplate(given, synthesizeWithoutCode);
  const arnOf = (queue: string) => `${ofType('AWS::SQS::Queue').find(({ name }) => name === queue)?.id}.Arn`;
  const told = JSON.parse(
    outputs.documentsNotifications?.Value['Fn::Join'][1]
      .map((part: string | Properties) => (typeof part === 'string' ? part : part['Fn::GetAtt'].join('.')))
      .join(''),
  );
  expect(told).toEqual({
    QueueConfigurations: [
      {
        QueueArn: arnOf('documentEvents'),
        Events: ['s3:ObjectCreated:*', 's3:ObjectRemoved:*', 's3:LifecycleExpiration:*'],
        Filter: { Key: { FilterRules: [{ Name: 'prefix', Value: 'documents/' }] } },
      },
      ...['.ndjson', '.csv'].map((suffix) => ({
        QueueArn: arnOf('imports'),
        Events: ['s3:ObjectCreated:*'],
        Filter: {
          Key: {
            FilterRules: [
              { Name: 'prefix', Value: 'imports/' },
              { Name: 'suffix', Value: suffix },
            ],
          },
        },
      })),
    ],
  });
  const policies = JSON.stringify(ofType('AWS::SQS::QueuePolicy').map(({ properties }) => properties));
  expect(policies).toContain(':s3:::restored-documents"');
  expect(policies).not.toContain('identityregistry');
});

test('a production stage has them from its file: left out of the next command line they would be replaced by nothing', async () => {
  await expect(readStage({ stage: 'prod', personsTable: 'restored' })).rejects.toThrow(
    'setting personsTable belongs into infra/stages/prod.ts: the next deployment without it would begin with nothing',
  );
  expect(await readStage({ stage: 'test', personsTable: 'restored' })).toMatchObject({ personsTable: 'restored' });
});

test.each([
  ['personsTable', 'arn:aws:dynamodb:eu-west-1:123456789012:table/persons', 'must be the name of a table'],
  ['documentsBucket', 'arn:aws:s3:::documents', 'must be the name of a bucket'],
  ['signingSecret', 'signing', 'must be the whole ARN of a secret'],
  ['namingSecret', secretArn.slice(0, -7), 'must be the whole ARN of a secret'],
])('%s is no %s', async (name, value, reason) => {
  await expect(readStage({ [name]: value })).rejects.toThrow(reason);
});
