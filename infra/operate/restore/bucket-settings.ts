import { isDeepStrictEqual } from 'node:util';
import * as s3Api from '@aws-sdk/client-s3';
import { unlessMissing } from './deployed-stage.ts';
import { type Addresses, resolve } from './intrinsics.ts';
import type { Shape } from './shapes.ts';
import type { StoreSetting } from './store-setting.ts';

interface Transition {
  readonly StorageClass: s3Api.TransitionStorageClass;
  readonly TransitionInDays: number;
}

interface Rule {
  readonly Id: string;
  readonly Status: 'Enabled' | 'Disabled';
  readonly Prefix?: string;
  readonly TagFilters?: s3Api.Tag[];
  readonly ExpirationInDays?: number;
  readonly ExpiredObjectDeleteMarker?: boolean;
  readonly NoncurrentVersionExpiration?: s3Api.NoncurrentVersionExpiration;
  readonly AbortIncompleteMultipartUpload?: s3Api.AbortIncompleteMultipartUpload;
  readonly Transitions?: readonly Transition[];
  readonly NoncurrentVersionTransitions?: readonly Transition[];
}

interface BucketShape {
  readonly LifecycleConfiguration?: { readonly Rules: readonly Rule[] };
  readonly ObjectLockConfiguration?: s3Api.ObjectLockConfiguration;
  readonly PublicAccessBlockConfiguration: s3Api.PublicAccessBlockConfiguration;
  readonly BucketEncryption: {
    readonly ServerSideEncryptionConfiguration: readonly {
      readonly ServerSideEncryptionByDefault: s3Api.ServerSideEncryptionByDefault;
      readonly BucketKeyEnabled?: boolean;
    }[];
  };
  readonly Tags: s3Api.Tag[];
}

/** Converts a lifecycle rule to the format of the S3 API. */
function ruleOf({ Id, Status, Prefix = '', TagFilters: Tags, ExpirationInDays, Transitions, ...rule }: Rule) {
  const { ExpiredObjectDeleteMarker, NoncurrentVersionExpiration, AbortIncompleteMultipartUpload } = rule;
  const { NoncurrentVersionTransitions: ofOld } = rule;
  const Expiration = ExpirationInDays === undefined ? { ExpiredObjectDeleteMarker } : { Days: ExpirationInDays };
  return {
    ...{ ID: Id, Status, Filter: Tags ? { And: { Prefix, Tags } } : { Prefix } },
    ...(Object.values(Expiration).some((value) => value !== undefined) && { Expiration }),
    ...(NoncurrentVersionExpiration && { NoncurrentVersionExpiration }),
    ...(AbortIncompleteMultipartUpload && { AbortIncompleteMultipartUpload }),
    ...(Transitions && {
      Transitions: Transitions.map(({ StorageClass, TransitionInDays: Days }) => ({ StorageClass, Days })),
    }),
    ...(ofOld && {
      NoncurrentVersionTransitions: ofOld.map(({ StorageClass, TransitionInDays: NoncurrentDays }) => ({
        ...{ StorageClass, NoncurrentDays },
      })),
    }),
  };
}

const byId = (rules: readonly s3Api.LifecycleRule[]): s3Api.LifecycleRule[] =>
  rules.toSorted((a, b) => String(a.ID).localeCompare(String(b.ID), 'en'));

/** Lists the bucket settings in the template that a bucket restored by AWS Backup lacks. */
export function bucketSettings(s3: s3Api.S3Client, Bucket: string, shape: Shape, addresses: Addresses): StoreSetting[] {
  // Omits notifications, because they refer to queues that may not exist yet.
  const { NotificationConfiguration: _, ...own } = shape.properties;
  const properties = resolve(own, addresses) as unknown as BucketShape;
  const policy = resolve(shape.policy ?? {}, addresses);
  const setting = (
    what: string,
    wanted: unknown,
    read: () => Promise<unknown>,
    set: () => Promise<unknown>,
  ): StoreSetting => ({
    what,
    isSet: async () => isDeepStrictEqual(await unlessMissing(read()), wanted),
    set,
  });
  const rules = byId((properties.LifecycleConfiguration?.Rules ?? []).map(ruleOf));
  const { PublicAccessBlockConfiguration, ObjectLockConfiguration, Tags } = properties;
  const [encryption] = properties.BucketEncryption.ServerSideEncryptionConfiguration;
  const ApplyServerSideEncryptionByDefault = encryption?.ServerSideEncryptionByDefault;
  return [
    setting(
      'versions',
      'Enabled',
      async () => (await s3.send(new s3Api.GetBucketVersioningCommand({ Bucket }))).Status,
      () => s3.send(new s3Api.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } })),
    ),
    ...(ObjectLockConfiguration === undefined
      ? []
      : [
          setting(
            'object lock',
            ObjectLockConfiguration,
            async () =>
              (await s3.send(new s3Api.GetObjectLockConfigurationCommand({ Bucket }))).ObjectLockConfiguration,
            () => s3.send(new s3Api.PutObjectLockConfigurationCommand({ Bucket, ObjectLockConfiguration })),
          ),
        ]),
    setting(
      'public access block',
      PublicAccessBlockConfiguration,
      async () => (await s3.send(new s3Api.GetPublicAccessBlockCommand({ Bucket }))).PublicAccessBlockConfiguration,
      () => s3.send(new s3Api.PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration })),
    ),
    setting(
      'encryption',
      ApplyServerSideEncryptionByDefault,
      async () => {
        const found = await s3.send(new s3Api.GetBucketEncryptionCommand({ Bucket }));
        return found.ServerSideEncryptionConfiguration?.Rules?.[0]?.ApplyServerSideEncryptionByDefault;
      },
      () => {
        const { BucketKeyEnabled = false } = encryption ?? {};
        const Rules = [{ ApplyServerSideEncryptionByDefault, BucketKeyEnabled }];
        return s3.send(new s3Api.PutBucketEncryptionCommand({ Bucket, ServerSideEncryptionConfiguration: { Rules } }));
      },
    ),
    setting(
      'policy',
      policy,
      async () => JSON.parse((await s3.send(new s3Api.GetBucketPolicyCommand({ Bucket }))).Policy ?? '{}'),
      () => s3.send(new s3Api.PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify(policy) })),
    ),
    setting(
      'lifetimes',
      rules,
      async () => byId((await s3.send(new s3Api.GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules ?? []),
      () => {
        const LifecycleConfiguration = { Rules: rules };
        return s3.send(new s3Api.PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }));
      },
    ),
    setting(
      'tags',
      Tags,
      async () => (await s3.send(new s3Api.GetBucketTaggingCommand({ Bucket }))).TagSet,
      () => s3.send(new s3Api.PutBucketTaggingCommand({ Bucket, Tagging: { TagSet: Tags } })),
    ),
  ];
}
