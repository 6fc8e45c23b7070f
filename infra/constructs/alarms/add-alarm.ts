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
import type { AlarmKind } from '../../alarm-kinds/alarm-kind.ts';
import { type AlarmKindName, alarmKinds, alarmText } from '../alarm-kinds/alarm-kinds.ts';

/** The usual period of a metric that rings. */
export const period = Duration.minutes(5);

export interface Ringing {
  readonly metric: IMetric;
  /** Rings at this or more. */
  readonly threshold: number;
  /** Rings below the threshold, and where there is no number. */
  readonly isLeast?: boolean;
  /** There is a number in every period: it rings where there is none, too. */
  readonly isSteady?: boolean;
  /** So many periods in a row; 1. */
  readonly times?: number;
  /** Which one it is, of a kind that has several: part of its name. */
  readonly of?: string;
  /** What this one is about, at the beginning of its text. */
  readonly says?: string;
  /** Percentiles of few values say nothing. */
  readonly isPercentile?: boolean;
}

/** Raises an alarm of a kind. */
export type Ring = (kind: AlarmKindName, ringing: Ringing) => void;

/**
 * @param alarms takes those that were raised
 * @param actionsOf whom to tell, by severity
 */
export const ringIn =
  (scope: Construct, alarms: IAlarm[], actionsOf: (severity: AlarmKind['severity']) => readonly IAlarmAction[]): Ring =>
  (
    kind,
    { metric, threshold, isLeast = false, isSteady = isLeast, times = 1, of = '', says, isPercentile = false },
  ) => {
    const alarm = new Alarm(scope, `${kind}${of === '' ? '' : `-${of}`}`, {
      metric,
      threshold,
      evaluationPeriods: times,
      comparisonOperator: isLeast
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: isSteady ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: alarmText(kind, says),
      ...(isPercentile && { evaluateLowSampleCountPercentile: 'ignore' }),
    });
    alarms.push(alarm);
    const actions = actionsOf(alarmKinds[kind].severity);
    if (actions.length === 0) return;
    alarm.addAlarmAction(...actions);
    // Whoever was woken hears when it is over.
    alarm.addOkAction(...actions);
  };
