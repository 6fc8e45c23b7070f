import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { AlarmKind } from '../alarm-kinds/alarm-kind.ts';
import { noAlarmTopic } from '../settings/stack-settings.ts';
import { acknowledge } from './acknowledge.ts';

interface AlarmTopicsProps {
  /** Of a topic that is there already; `none` or empty where there is none. */
  readonly topicArn: string;
  /** A mailbox; empty where none is to hear. */
  readonly email: string;
}

const alarms = new ServicePrincipal('cloudwatch.amazonaws.com');

/**
 * Whom alarms tell: the topic that is given, the mailbox, or both. Where both are, what can wait until the next working day goes to the
 * mailbox alone.
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

  /** Whom an alarm of this severity tells. */
  readonly of = (severity: AlarmKind['severity']): readonly IAlarmAction[] =>
    severity === 'day' && this.mailbox.length > 0 ? this.mailbox : [...this.given, ...this.mailbox];

  private mailTopic(email: string): Topic {
    const fromHere = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    const key = new Key(this, 'key', {
      description: 'What alarms tell',
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
    // A policy of its own takes the place of the one that lets the whole account in.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [alarms],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: fromHere,
      }),
    );
    topic.addSubscription(new EmailSubscription(email));
    acknowledge(topic, {
      'Serverless-SNSRedrivePolicy': 'a mail that SNS could not send is of no use to anybody later',
    });
    return topic;
  }
}
