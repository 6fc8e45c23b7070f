import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { ConfigurationSet, EmailSendingEvent, EventDestination, SuppressionReasons } from 'aws-cdk-lib/aws-ses';
import { FilterOrPolicy, SubscriptionFilter, Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { feedbackTypes } from '../../shared/domain/deliveries/mail-feedback.ts';

interface MailProps {
  readonly configurationSetName: string;
  readonly feedback: Queue;
  /** The dead-letter queue for feedback that SNS could not deliver. */
  readonly deadLetters: Queue;
}

/** The configuration set for all emails. SES sends bounces and complaints through SNS to a queue. */
export class Mail extends Construct {
  constructor(scope: Construct, id: string, { configurationSetName, feedback, deadLetters }: MailProps) {
    super(scope, id);
    // Feedback from SES contains email addresses, so the topic is encrypted. SES cannot publish to a topic that is
    // encrypted with the default SNS key.
    const key = new Key(this, 'key', {
      description: 'Bounces and complaints from SES',
      enableKeyRotation: true,
      pendingWindow: Duration.days(7),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        // In a key policy, the resource `*` means the key itself. The topic's policy restricts who may publish.
        principals: [new ServicePrincipal('ses.amazonaws.com')],
        actions: ['kms:GenerateDataKey*', 'kms:Decrypt'],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    const topic = new Topic(this, 'feedback', { masterKey: key, enforceSSL: true });
    topic.addSubscription(
      new SqsSubscription(feedback, {
        rawMessageDelivery: true,
        deadLetterQueue: deadLetters,
        // This filter also drops the plain-text test message that SES sends when the topic is deployed.
        filterPolicyWithMessageBody: {
          eventType: FilterOrPolicy.filter(SubscriptionFilter.stringFilter({ allowlist: [...feedbackTypes] })),
        },
      }),
    );
    const set = new ConfigurationSet(this, 'set', {
      configurationSetName,
      // Bounces and complaints harm the account's reputation. SES therefore sends no more emails to the affected
      // addresses until an operator removes them from the suppression list.
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    set.addEventDestination('feedback', {
      destination: EventDestination.snsTopic(topic),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT],
    });
  }
}
