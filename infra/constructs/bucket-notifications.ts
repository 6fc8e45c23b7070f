import { ArnFormat, CfnOutput, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { type BucketName, bucketNotifications } from '../../shared/contract/buckets.ts';
import type { Documents } from './documents.ts';
import type { Queues } from './queues.ts';

interface NotificationsProps {
  readonly isBackedUp: boolean;
  readonly documents: Documents;
  readonly queues: Queues;
}

type Target = Documents['byName'][BucketName];

interface Notification {
  readonly arn: string;
  readonly events: readonly string[];
  readonly rules: { readonly name: string; readonly value: string }[];
}

// The generated name of a bucket begins with at most 24 characters of the stack name.
const stackNameLength = 24;

/**
 * Configures S3 to send notifications about objects to queues. The stack cannot change a restored bucket. For a
 * restored bucket, an output contains the notification configuration that the operator must apply.
 */
export class BucketNotifications extends Construct {
  constructor(scope: Construct, id: string, { documents, queues, isBackedUp }: NotificationsProps) {
    super(scope, id);
    for (const [name, bucket] of Object.entries(documents.byName) as [BucketName, Target][]) {
      const notifications = bucketNotifications[name].flatMap(
        ({ queue: target, prefix, suffixes = [''], events }): Notification[] => {
          const queue = queues.byName[target];
          const { policyDependable } = queue.addToResourcePolicy(this.admission(bucket, queue.queueArn));
          // The queue policy must exist before the bucket is configured, because S3 then sends a test message to the
          // queue.
          if (policyDependable && bucket instanceof Bucket) bucket.node.addDependency(policyDependable);
          const prefixRule = { name: 'prefix', value: prefix };
          return suffixes.map((value) => ({
            arn: queue.queueArn,
            events,
            rules: value === '' ? [prefixRule] : [prefixRule, { name: 'suffix', value }],
          }));
        },
      );
      if (bucket instanceof Bucket) {
        // Sets the property directly, because CDK's method for notifications would deploy an additional function.
        (bucket.node.defaultChild as CfnBucket).notificationConfiguration = {
          queueConfigurations: notifications.flatMap(({ arn, events, rules }) =>
            events.map((event) => ({ event, queue: arn, filter: { s3Key: { rules } } })),
          ),
          // AWS Backup turns on EventBridge events to find changed objects. An update of the bucket must not turn off
          // EventBridge events: https://docs.aws.amazon.com/aws-backup/latest/devguide/s3-backups.html
          ...(isBackedUp && name === 'documents' && { eventBridgeConfiguration: { eventBridgeEnabled: true } }),
        };
      } else this.outputConfiguration(name, notifications);
    }
  }

  private admission(bucket: Target, queueArn: string): PolicyStatement {
    const stack = Stack.of(this);
    // The queue policy contains only the beginning of the bucket's name, because the bucket is created after the
    // policy.
    const ownBuckets = stack.formatArn({
      ...{ service: 's3', region: '', account: '', arnFormat: ArnFormat.NO_RESOURCE_NAME },
      resource: `${stack.stackName.toLowerCase().slice(0, stackNameLength)}*`,
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

  private outputConfiguration(name: BucketName, notifications: readonly Notification[]): void {
    const QueueConfigurations = notifications.map(({ arn, events, rules }) => ({
      QueueArn: arn,
      Events: events,
      Filter: { Key: { FilterRules: rules.map((rule) => ({ Name: rule.name, Value: rule.value })) } },
    }));
    const output = new CfnOutput(this, name, {
      value: Stack.of(this).toJsonString({ QueueConfigurations }),
      description: `Notification configuration of the bucket ${name}, as input for put-bucket-notification-configuration`,
    });
    output.overrideLogicalId(`${name}Notifications`);
  }
}
