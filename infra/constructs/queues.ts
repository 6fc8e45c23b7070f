import { Duration } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption, QueuePolicy } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { bucketQueues } from '../../shared/contract/buckets.ts';
import { maxReceiveCount, type QueueName, queueDays } from '../../shared/contract/queue-names.ts';
import { accept } from './accepted-rules.ts';

interface QueuesProps {
  /** The queues to create. */
  readonly names: readonly QueueName[];
  /** The queues of another stack, which are added to `byName` and `deadLetters`. */
  readonly others?: Queues;
  readonly visibilitySeconds: (queue: QueueName) => number;
  readonly key: IKey | undefined;
}

// The queues to which SNS or S3 sends messages. Each queue that receives messages from SNS or S3 has its own policy,
// because a queue can have only one policy.
const fedByServices: readonly QueueName[] = ['mailFeedback', ...bucketQueues];

/** The queues in `contract/queue-names.ts`, each with a dead-letter queue. */
export class Queues extends Construct {
  readonly byName: Readonly<Record<QueueName, Queue>>;
  readonly deadLetters: Readonly<Record<QueueName, Queue>>;

  constructor(scope: Construct, id: string, { names, others, visibilitySeconds, key }: QueuesProps) {
    super(scope, id);
    const defaults = {
      ...(key ? { encryptionMasterKey: key } : { encryption: QueueEncryption.SQS_MANAGED }),
      retentionPeriod: Duration.days(queueDays),
    };
    const isFed = (name: QueueName): boolean => fedByServices.includes(name);
    const dead = names.map((name) => {
      return [name, new Queue(this, `${name}DeadLetters`, { ...defaults, enforceSSL: isFed(name) })] as const;
    });
    this.deadLetters = { ...others?.deadLetters, ...Object.fromEntries(dead) } as Record<QueueName, Queue>;
    for (const [, queue] of dead) {
      accept(queue, 'deadLetters');
    }
    const live = names.map((name) => {
      const queue = new Queue(this, name, {
        ...defaults,
        enforceSSL: isFed(name),
        visibilityTimeout: Duration.seconds(visibilitySeconds(name)),
        deadLetterQueue: { queue: this.deadLetters[name], maxReceiveCount },
      });
      return [name, queue];
    });
    this.byName = { ...others?.byName, ...Object.fromEntries(live) } as Record<QueueName, Queue>;
    const ours = names.filter((name) => !isFed(name)).flatMap((name) => [this.deadLetters[name], this.byName[name]]);
    if (ours.length === 0) return;
    const policy = new QueuePolicy(this, 'policy', { queues: ours });
    policy.document.addStatements(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['sqs:*'],
        // In a queue policy, the resource `*` means the queue itself, so the queues can share one policy.
        resources: ['*'],
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  }
}
