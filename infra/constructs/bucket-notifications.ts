import { ArnFormat, CfnOutput, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { type BucketName, bucketNotifications } from '../../shared/contract/buckets.ts';
import type { Documents } from './documents.ts';
import type { Queues } from './queues.ts';

interface NotificationsProps {
  readonly documents: Documents;
  readonly queues: Queues;
}

type Target = Documents['byName'][BucketName];

interface Told {
  readonly arn: string;
  readonly events: readonly string[];
  readonly rules: { readonly name: string; readonly value: string }[];
}

// With more than 63 characters CloudFormation cuts the names that it makes, the stack's and the resource's to 24 each.
const keptOfName = 24;

/**
 * Has S3 tell queues what happens in the buckets. A bucket that is given by name is not the stack's to change: an output says
 * what it has to be told.
 */
export class BucketNotifications extends Construct {
  constructor(scope: Construct, id: string, { documents, queues }: NotificationsProps) {
    super(scope, id);
    for (const [name, bucket] of Object.entries(documents.byName) as [BucketName, Target][]) {
      const told = bucketNotifications[name].flatMap(({ queue: to, prefix, suffixes = [''], events }): Told[] => {
        const queue = queues.byName[to];
        const { policyDependable } = queue.addToResourcePolicy(this.lettingIn(bucket, queue.queueArn));
        // S3 tries a queue when it is told of it: that it may send has to stand before.
        if (policyDependable && bucket instanceof Bucket) bucket.node.addDependency(policyDependable);
        const begins = { name: 'prefix', value: prefix };
        return suffixes.map((value) => ({
          arn: queue.queueArn,
          events,
          rules: value === '' ? [begins] : [begins, { name: 'suffix', value }],
        }));
      });
      if (bucket instanceof Bucket) {
        // CDK would set them by a function of its own.
        (bucket.node.defaultChild as CfnBucket).notificationConfiguration = {
          queueConfigurations: told.flatMap(({ arn, events, rules }) =>
            events.map((event) => ({ event, queue: arn, filter: { s3Key: { rules } } })),
          ),
        };
      } else this.tell(name, told);
    }
  }

  private lettingIn(bucket: Target, queueArn: string): PolicyStatement {
    const stack = Stack.of(this);
    // The name of the stack's own bucket is not known before the bucket is there, which is after this: but how it begins.
    const ownBuckets = stack.formatArn({
      ...{ service: 's3', region: '', account: '', arnFormat: ArnFormat.NO_RESOURCE_NAME },
      resource: `${stack.stackName.toLowerCase().slice(0, keptOfName)}*`,
    });
    return new PolicyStatement({
      principals: [new ServicePrincipal('s3.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queueArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': stack.account },
        ArnLike: { 'aws:SourceArn': bucket instanceof Bucket ? ownBuckets : bucket.bucketArn },
      },
    });
  }

  private tell(name: BucketName, told: readonly Told[]): void {
    const QueueConfigurations = told.map(({ arn, events, rules }) => ({
      QueueArn: arn,
      Events: events,
      Filter: { Key: { FilterRules: rules.map((rule) => ({ Name: rule.name, Value: rule.value })) } },
    }));
    const output = new CfnOutput(this, name, {
      value: Stack.of(this).toJsonString({ QueueConfigurations }),
      description: `What the bucket ${name} has to be told with put-bucket-notification-configuration`,
    });
    output.overrideLogicalId(`${name}Notifications`);
  }
}
