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
  /** Where bounces and complaints end up. */
  readonly feedback: Queue;
  /** Where they end up that SNS could not bring there. */
  readonly deadLetters: Queue;
}

/** The configuration set that every mail is sent with: what becomes of a mail comes back through it, SNS and a queue. */
export class Mail extends Construct {
  constructor(scope: Construct, id: string, { configurationSetName, feedback, deadLetters }: MailProps) {
    super(scope, id);
    // Feedback names recipients: it is encrypted on its way, with a key of ours because SES cannot use that of SNS.
    const key = new Key(this, 'key', {
      description: 'What SES tells of bounces and complaints',
      enableKeyRotation: true,
      pendingWindow: Duration.days(7),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        // In a key's policy `*` is the key itself. Who may publish is for the topic's policy to say.
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
        // The line of plain text, too, by which SES tries out the topic on deployment stays out of the queue.
        filterPolicyWithMessageBody: {
          eventType: FilterOrPolicy.filter(SubscriptionFilter.stringFilter({ allowlist: [...feedbackTypes] })),
        },
      }),
    );
    const set = new ConfigurationSet(this, 'set', {
      configurationSetName,
      // Addresses that bounce or complain cost the account its reputation, whoever asks for mails to them: SES keeps them on the
      // account's list and sends them nothing, until an operator takes them off it.
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    set.addEventDestination('feedback', {
      destination: EventDestination.snsTopic(topic),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT],
    });
  }
}
