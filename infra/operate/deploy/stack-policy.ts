/** The types of resources that contain data or protect data. */
export const guardedTypes: readonly string[] = [
  'AWS::DynamoDB::Table',
  'AWS::DynamoDB::GlobalTable',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
  'AWS::KMS::Key',
  'AWS::Backup::BackupVault',
];

/**
 * Returns the stack policy for the data stack in production. The policy rejects updates that delete or replace data. A
 * stack policy rejects all updates that no statement allows, so the first statement allows all updates.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/protect-stack-resources.html
 * @param lifted the logical ids of resources that the next update may delete or replace
 */
export const stackPolicy = (lifted: readonly string[] = []): string => {
  const common = { Principal: '*' };
  const all = lifted.length === 0 ? { Resource: '*' } : { NotResource: lifted.map((id) => `LogicalResourceId/${id}`) };
  return JSON.stringify({
    Statement: [
      { ...common, Effect: 'Allow', Action: 'Update:*', Resource: '*' },
      {
        ...common,
        ...{ Effect: 'Deny', Action: ['Update:Replace', 'Update:Delete'], ...all },
        Condition: { StringEquals: { ResourceType: guardedTypes } },
      },
    ],
  });
};
