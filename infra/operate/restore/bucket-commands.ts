import { shellQuote } from './shell-quote.ts';

interface Transition {
  readonly StorageClass: string;
  readonly TransitionInDays: number;
}

interface Rule {
  readonly Id: string;
  readonly Status: string;
  readonly Prefix?: string;
  readonly TagFilters?: readonly object[];
  readonly ExpirationInDays?: number;
  readonly ExpiredObjectDeleteMarker?: boolean;
  readonly NoncurrentVersionExpiration?: object;
  readonly Transitions?: readonly Transition[];
  readonly NoncurrentVersionTransitions?: readonly Transition[];
  readonly AbortIncompleteMultipartUpload?: object;
}

interface BucketShape {
  readonly LifecycleConfiguration?: { readonly Rules: readonly Rule[] };
  readonly ObjectLockConfiguration?: object;
}

/** Converts a lifecycle rule to the format of the S3 API. */
function ruleOf({ Id, Status, Prefix = '', TagFilters: Tags, ExpirationInDays, ...rule }: Rule) {
  const { ExpiredObjectDeleteMarker, NoncurrentVersionExpiration, AbortIncompleteMultipartUpload } = rule;
  const { Transitions, NoncurrentVersionTransitions: ofOld } = rule;
  const Expiration = ExpirationInDays === undefined ? { ExpiredObjectDeleteMarker } : { Days: ExpirationInDays };
  return {
    ...{ ID: Id, Status, Filter: Tags ? { And: { Prefix, Tags } } : { Prefix } },
    ...(Object.values(Expiration).some((value) => value !== undefined) && { Expiration }),
    ...(NoncurrentVersionExpiration && { NoncurrentVersionExpiration }),
    ...(Transitions && {
      Transitions: Transitions.map(({ StorageClass, TransitionInDays: Days }) => ({ Days, StorageClass })),
    }),
    ...(ofOld && {
      NoncurrentVersionTransitions: ofOld.map(({ StorageClass, TransitionInDays: NoncurrentDays }) => ({
        NoncurrentDays,
        StorageClass,
      })),
    }),
    ...(AbortIncompleteMultipartUpload && { AbortIncompleteMultipartUpload }),
  };
}

// The partition (`aws`, `aws-cn`, `aws-us-gov`) of the operator's account, as a shell variable. No other part of the
// JSON contains the text `$partition`.
const partition = '$partition';
const askPartition = [
  'identity=$(aws sts get-caller-identity --query Arn --output text)',
  'partition=$(echo "$identity" | cut -d : -f 2)',
];

const json = (value: object): string =>
  shellQuote(JSON.stringify(value)).replaceAll(partition, () => `'"${partition}"'`);

/** Returns idempotent shell commands that configure a restored bucket like the stack's own bucket. */
export function bucketCommands(
  restored: string,
  { LifecycleConfiguration, ObjectLockConfiguration }: BucketShape,
): string[] {
  const put = (what: string, value: string) => `aws s3api put-${what} --bucket ${shellQuote(restored)} ${value}`;
  const Rules = (LifecycleConfiguration?.Rules ?? []).map(ruleOf);
  const arn = `arn:${partition}:s3:::${restored}`;
  const denied = { Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: [arn, `${arn}/*`] };
  const policy = {
    Version: '2012-10-17',
    Statement: [
      { ...denied, Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { ...denied, Condition: { NumericLessThan: { 's3:TlsVersion': 1.2 } } },
    ],
  };
  const all = 'BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true';
  return [
    ...askPartition,
    put('bucket-versioning', '--versioning-configuration Status=Enabled'),
    ...(ObjectLockConfiguration === undefined
      ? []
      : [put('object-lock-configuration', `--object-lock-configuration ${json(ObjectLockConfiguration)}`)]),
    put('public-access-block', `--public-access-block-configuration ${all}`),
    put('bucket-policy', `--policy ${json(policy)}`),
    put('bucket-lifecycle-configuration', `--lifecycle-configuration ${json({ Rules })}`),
  ];
}
