import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, MathExpression, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { queues as queueMeanings } from '../../shared/contract/queues.ts';
import { countLines } from './count-lines.ts';
import type { Queues } from './queues.ts';
import type { ServiceFunction } from './service-function.ts';

interface AlarmsProps {
  readonly queues: Queues;
  /** Functions whose every error is a fault of ours. */
  readonly functions: readonly ServiceFunction[];
  /** Its errors are mostly bad tokens: only what it logs as a fault counts. */
  readonly authorize: ServiceFunction;
}

const period = Duration.minutes(5);
const once = {
  threshold: 1,
  evaluationPeriods: 1,
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
} as const;

/** An alarm for each function that fails, saying in plain words what does not work, and for each dead letter. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, { queues, functions, authorize }: AlarmsProps) {
    super(scope, id);
    for (const serving of functions) {
      // A fault that was answered with 500 is no error to Lambda, and a crash writes no line: both count.
      const expression = 'FILL(errors, 0) + FILL(faults, 0)';
      const errors = serving.lambda.metricErrors({ period });
      this.add(
        serving,
        new MathExpression({ expression, usingMetrics: { errors, faults: this.faultsOf(serving) }, period }),
      );
    }
    this.add(authorize, this.faultsOf(authorize));
    for (const [name, queue] of Object.entries(queues.deadLetters)) {
      new Alarm(this, `${name}DeadLetters`, {
        ...once,
        metric: queue.metricApproximateNumberOfMessagesVisible({ period }),
        alarmDescription: `Put aside after repeated faults of ours: ${queueMeanings[name as keyof typeof queueMeanings]}. Mend the cause, then redrive the queue.`,
      });
    }
  }

  private add({ lambda, impact }: ServiceFunction, metric: Metric | MathExpression): void {
    new Alarm(this, `${lambda.node.id}Errors`, {
      ...once,
      metric,
      alarmDescription: `${lambda.node.id} has met a fault, which its log names. While it fails: ${impact}`,
    });
  }

  /** How often the function has logged a fault. */
  private faultsOf({ lambda, logs }: ServiceFunction): Metric {
    const metricName = `${lambda.node.id}Faults`;
    return countLines(this, metricName, { logs, message: faultLogged, metricName }).metric({
      period,
      statistic: 'Sum',
    });
  }
}
