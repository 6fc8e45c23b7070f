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
import type { AlarmKind } from '../alarm-kinds/alarm-kind.ts';
import { type AlarmKindName, alarmKinds, alarmText } from '../alarm-kinds/alarm-kinds.ts';

export const period = Duration.minutes(5);

export interface AlarmProps {
  readonly metric: IMetric;
  /** Raises the alarm at this value or more. */
  readonly threshold: number;
  /** Raises the alarm below the threshold, and without data. */
  readonly isMinimum?: boolean;
  /** Every period has data, so missing data raises the alarm too. */
  readonly isSteady?: boolean;
  /** Periods in a row; 1 by default. */
  readonly times?: number;
  /** Distinguishes the alarms of a kind: part of its name. */
  readonly of?: string;
  /** A sentence about this alarm, at the beginning of its description. */
  readonly subject?: string;
  /** Percentiles of few values mean nothing. */
  readonly isPercentile?: boolean;
}

export type AddAlarm = (kind: AlarmKindName, ringing: AlarmProps) => void;

/**
 * @param alarms collects the new alarms
 * @param actionsOf the notifications, by severity
 *
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
    if (actions.length === 0) return;
    alarm.addAlarmAction(...actions);
    // An operator who was woken is also notified when the alarm ends.
    alarm.addOkAction(...actions);
  };
