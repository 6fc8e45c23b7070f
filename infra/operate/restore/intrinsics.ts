import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Place } from '../deploy/place.ts';
import type { RawTemplate } from '../release/assembly-stacks.ts';

/** The values to which references in a template resolve. */
export interface Addresses {
  readonly refs: ReadonlyMap<string, string>;
  /** ARNs by logical id. */
  readonly arns: ReadonlyMap<string, string>;
  /** The exports of other stacks, by name. */
  readonly exports: ReadonlyMap<string, string>;
}

type Intrinsic = Readonly<Record<string, unknown>>;

const partitionOf = (region: string): string => RegionInfo.get(region).partition ?? 'aws';

/** Builds the ARN of a queue, key or bucket from its physical id. Returns undefined for other resources. */
export function arnOf(type: string | undefined, physicalId: string, { region, account }: Place): string | undefined {
  const partition = partitionOf(region);
  // The physical id of a queue is its URL.
  if (type === 'AWS::SQS::Queue') return `arn:${partition}:sqs:${region}:${account}:${physicalId.split('/').at(-1)}`;
  if (type === 'AWS::KMS::Key') return `arn:${partition}:kms:${region}:${account}:key/${physicalId}`;
  return type === 'AWS::S3::Bucket' ? `arn:${partition}:s3:::${physicalId}` : undefined;
}

/** @param ids the physical ids of the stack's resources, by their logical ids */
export function addressesOf(
  { Resources }: RawTemplate,
  ids: ReadonlyMap<string, string>,
  exports: ReadonlyMap<string, string>,
  place: Place,
): Addresses {
  const pseudo = [
    ['AWS::Partition', partitionOf(place.region)],
    ['AWS::AccountId', place.account],
    ['AWS::Region', place.region],
  ] as const;
  const arns = [...ids].flatMap(([id, physicalId]) => {
    const arn = arnOf(Resources[id]?.Type, physicalId, place);
    return arn === undefined ? [] : [[id, arn] as const];
  });
  return { refs: new Map([...ids, ...pseudo]), arns: new Map(arns), exports };
}

/**
 * Replaces the references in a part of a template with their values.
 * @throws Error if the value of a reference is unknown
 */
export function resolve(part: unknown, addresses: Addresses): unknown {
  if (Array.isArray(part)) return part.map((one) => resolve(one, addresses));
  if (typeof part !== 'object' || part === null) return part;
  const [[name, argument] = ['', undefined], ...others] = Object.entries(part as Intrinsic);
  if (others.length > 0 || !(name === 'Ref' || name.startsWith('Fn::')))
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, resolve(one, addresses)]));
  if (name === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[]];
    return parts.map((one) => resolve(one, addresses)).join(separator);
  }
  const found: Readonly<Record<string, string | undefined>> = {
    Ref: addresses.refs.get(String(argument)),
    'Fn::GetAtt': addresses.arns.get(String((argument as string[])[0])),
    'Fn::ImportValue': addresses.exports.get(String(argument)),
  };
  const value = name === 'Fn::GetAtt' && (argument as string[])[1] !== 'Arn' ? undefined : found[name];
  if (value === undefined) throw new Error(`the value of ${JSON.stringify(part)} is not known: set it by hand`);
  return value;
}
