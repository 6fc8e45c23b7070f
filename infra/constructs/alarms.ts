import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, MathExpression, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { type QueueName, queues as queueMeanings } from '../../shared/contract/queues.ts';
import { countLines } from './count-lines.ts';
import type { Queues } from './queues.ts';
import type { ServiceFunction } from './service-function.ts';

interface AlarmsProps {
  readonly queues: Queues;
  /** Functions whose every error is a fault of ours. */
  readonly functions: readonly ServiceFunction[];
  /** Its errors are mostly bad tokens: only what it logs as a fault counts. */
  readonly authorize: ServiceFunction;
  /** It runs every minute. */
  readonly sweep: IFunction;
}

const period = Duration.minutes(5);
const once = {
  threshold: 1,
  evaluationPeriods: 1,
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
} as const;

/** The queues in which a lane that stands still shows, and the minutes after which it does: mail that waits for its quota is as old. */
const standstillMinutes = { fanOut: 15, http: 15, mass: 30, slow: 60, email: 60 } as const satisfies Partial<
  Record<QueueName, number>
>;

/** An alarm for each function that fails, saying in plain words what does not work, and for each dead letter. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, { queues, functions, authorize, sweep }: AlarmsProps) {
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
    for (const name of Object.keys(standstillMinutes) as (keyof typeof standstillMinutes)[]) {
      const minutes = standstillMinutes[name];
      new Alarm(this, `${name}Standstill`, {
        ...once,
        threshold: minutes * 60,
        metric: queues.byName[name].metricApproximateAgeOfOldestMessage({ period }),
        alarmDescription: `Something has waited for ${minutes} minutes: ${queueMeanings[name]}. Look at the throttles of the functions that read the queue, and at their logs.`,
      });
    }
    new Alarm(this, 'sweepMissing', {
      ...once,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      // No run is no number.
      treatMissingData: TreatMissingData.BREACHING,
      metric: sweep.metricInvocations({ period }),
      alarmDescription:
        'The sweeper has not run for five minutes: what the queues lose is not found again. Look at its clock.',
    });
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
