import { Duration } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption, QueuePolicy } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { maxReceiveCount, type QueueName, queues } from '../../shared/contract/queues.ts';

interface QueuesProps {
  /** Seconds that a received message stays hidden. */
  readonly visibilitySeconds: (queue: QueueName) => number;
}

const house = {
  encryption: QueueEncryption.SQS_MANAGED,
  retentionPeriod: Duration.days(14),
} as const;

// A queue has one policy, and SNS is let into this one by its own.
const fedByOthers: readonly QueueName[] = ['mailFeedback'];

/** The queues of `contract/queues.ts`, each with its dead-letter queue. */
export class Queues extends Construct {
  readonly byName: Readonly<Record<QueueName, Queue>>;
  readonly deadLetters: Readonly<Record<QueueName, Queue>>;

  constructor(scope: Construct, id: string, { visibilitySeconds }: QueuesProps) {
    super(scope, id);
    const names = Object.keys(queues) as QueueName[];
    const dead = names.map((name) => [name, new Queue(this, `${name}DeadLetters`, house)] as const);
    this.deadLetters = Object.fromEntries(dead) as Record<QueueName, Queue>;
    const live = names.map((name) => {
      const queue = new Queue(this, name, {
        ...house,
        enforceSSL: fedByOthers.includes(name),
        visibilityTimeout: Duration.seconds(visibilitySeconds(name)),
        deadLetterQueue: { queue: this.deadLetters[name], maxReceiveCount },
      });
      return [name, queue];
    });
    this.byName = Object.fromEntries(live) as Record<QueueName, Queue>;
    const ours = names.filter((name) => !fedByOthers.includes(name)).map((name) => this.byName[name]);
    const policy = new QueuePolicy(this, 'policy', { queues: [...Object.values(this.deadLetters), ...ours] });
    policy.document.addStatements(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['sqs:*'],
        // In a queue's policy `*` is the queue itself: one policy does for all.
        resources: ['*'],
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  }
}
