import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { noAlarmTopic } from '../settings/stack-settings.ts';
import { accept } from './accepted-rules.ts';
import type { AlarmKind } from './alarm-kinds/alarm-kind.ts';

interface AlarmTopicsProps {
  /** The ARN of an existing SNS topic; `none` or empty if there is no topic. */
  readonly topicArn: string;
  /** The email address that receives alarms; empty if there is none. */
  readonly email: string;
}

const alarms = new ServicePrincipal('cloudwatch.amazonaws.com');

/**
 * Sends alarm notifications to a topic, a mailbox or both. If there is a mailbox, alarms that can wait until the next
 * working day go only to the mailbox.
 */
export class AlarmTopics extends Construct {
  private readonly given: readonly IAlarmAction[];
  private readonly mailbox: readonly IAlarmAction[];

  constructor(scope: Construct, id: string, { topicArn, email }: AlarmTopicsProps) {
    super(scope, id);
    const isGiven = topicArn !== '' && topicArn !== noAlarmTopic;
    this.given = isGiven ? [new SnsAction(Topic.fromTopicArn(this, 'given', topicArn))] : [];
    this.mailbox = email === '' ? [] : [new SnsAction(this.mailTopic(email))];
  }

  readonly of = (severity: AlarmKind['severity']): readonly IAlarmAction[] =>
    severity === 'day' && this.mailbox.length > 0 ? this.mailbox : [...this.given, ...this.mailbox];

  private mailTopic(email: string): Topic {
    const fromHere = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    const key = new Key(this, 'key', {
      description: 'Alarm notifications',
      enableKeyRotation: true,
      pendingWindow: Duration.days(7),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [alarms],
        actions: ['kms:GenerateDataKey*', 'kms:Decrypt'],
        resources: ['*'],
        conditions: fromHere,
      }),
    );
    const topic = new Topic(this, 'mails', { masterKey: key, enforceSSL: true });
    // This topic policy replaces the default policy, which allows the whole account to publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [alarms],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: fromHere,
      }),
    );
    topic.addSubscription(new EmailSubscription(email));
    accept(topic, 'alarmEmails');
    return topic;
  }
}
