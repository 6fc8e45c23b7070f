import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IAlarm,
  type IAlarmAction,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { accept } from '../accepted-rules.ts';
import type { AlarmKind } from '../alarm-kinds/alarm-kind.ts';
import { type AlarmKindName, alarmKinds, alarmText } from '../alarm-kinds/alarm-kinds.ts';

export const period = Duration.minutes(5);

interface AlarmProps {
  readonly metric: IMetric;
  /** The lowest metric value that raises the alarm. */
  readonly threshold: number;
  /** If true, values below the threshold raise the alarm. The default of `isSteady` is the value of `isMinimum`. */
  readonly isMinimum?: boolean;
  /** If true, missing data raises the alarm, because the metric should have data in every period. */
  readonly isSteady?: boolean;
  /** The number of consecutive periods in which the metric must reach the threshold; 1 by default. */
  readonly times?: number;
  /** A part of the alarm's name that distinguishes alarms of the same kind. */
  readonly of?: string;
  /** A sentence about the alarm, which is placed at the beginning of the alarm's description. */
  readonly subject?: string;
  /** Whether the metric is a percentile. Alarms on percentiles ignore periods with too few values. */
  readonly isPercentile?: boolean;
}

export type AddAlarm = (kind: AlarmKindName, ringing: AlarmProps) => void;

/**
 * Returns a function that creates an alarm.
 * @param alarms the list to which new alarms are added
 * @param actionsOf returns the notification actions for a severity
 */
export const alarmAdder =
  (
    scope: Construct,
    alarms: IAlarm[],
    actionsOf: (severity: AlarmKind['severity']) => readonly IAlarmAction[],
  ): AddAlarm =>
  (
    kind,
    { metric, threshold, isMinimum = false, isSteady = isMinimum, times = 1, of = '', subject, isPercentile = false },
  ) => {
    const alarm = new Alarm(scope, `${kind}${of === '' ? '' : `-${of}`}`, {
      metric,
      threshold,
      evaluationPeriods: times,
      comparisonOperator: isMinimum
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: isSteady ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: alarmText(kind, subject),
      ...(isPercentile && { evaluateLowSampleCountPercentile: 'ignore' }),
    });
    alarms.push(alarm);
    const actions = actionsOf(alarmKinds[kind].severity);
    if (actions.length === 0) return accept(alarm, 'alarmRecipients');
    alarm.addAlarmAction(...actions);
    // The alarm also notifies its recipients when the problem ends.
    alarm.addOkAction(...actions);
  };
