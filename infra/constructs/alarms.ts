import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { queues as queueMeanings } from '../../shared/contract/queues.ts';
import type { Queues } from './queues.ts';

export interface AlarmsProps {
  readonly queues: Queues;
  readonly functions: readonly { readonly lambda: LambdaFunction; readonly impact: string }[];
}

const once = {
  threshold: 1,
  evaluationPeriods: 1,
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
} as const;

/** An alarm for each function that fails, saying in plain words what does not work, and for each dead letter. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, { queues, functions }: AlarmsProps) {
    super(scope, id);
    for (const { lambda, impact } of functions) {
      new Alarm(this, `${lambda.node.id}Errors`, {
        ...once,
        metric: lambda.metricErrors({ period: Duration.minutes(5) }),
        alarmDescription: `${lambda.node.id} fails. ${impact}`,
      });
    }
    for (const [name, queue] of Object.entries(queues.deadLetters)) {
      new Alarm(this, `${name}DeadLetters`, {
        ...once,
        metric: queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5) }),
        alarmDescription: `Put aside after repeated faults of ours: ${queueMeanings[name as keyof typeof queueMeanings]}. Mend the cause, then redrive the queue.`,
      });
    }
  }
}
