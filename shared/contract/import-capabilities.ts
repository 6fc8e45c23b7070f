import { buckets } from './buckets.ts';
import { anyObject, type Capability } from './capability.ts';

const readingVersions = ['s3:GetObject', 's3:GetObjectVersion'] as const;
const removingVersions = [
  's3:DeleteObject',
  's3:DeleteObjectVersion',
  's3:ListBucket',
  's3:ListBucketVersions',
] as const;

/**
 * The capabilities of imports. Import rows are stored in the `persons` table, so that restoring the table also restores
 * the matching state of the imports.
 */
export const importCapabilities = {
  'personChanges:write': {
    table: 'persons',
    actions: [
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
      'dynamodb:ConditionCheckItem',
    ],
  },
  'personChanges:resolve': { table: 'persons', actions: ['dynamodb:GetItem'] },
  'imports:run': { table: 'persons', actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'] },
  'importFiles:run': {
    bucket: 'documents',
    prefix: buckets.documents.imports,
    actions: [...readingVersions, 's3:PutObject', 's3:AbortMultipartUpload'],
    wildcard: anyObject,
  },
  'documents:change': {
    bucket: 'documents',
    prefix: buckets.documents.documents,
    actions: removingVersions,
    wildcard: anyObject,
  },
  'renditions:remove': {
    bucket: 'documents',
    prefix: buckets.documents.renditions,
    actions: removingVersions,
    wildcard: anyObject,
  },
} as const satisfies Record<string, Capability>;
