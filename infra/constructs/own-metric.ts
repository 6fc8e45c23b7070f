import type { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { type MetricName, metrics } from '../../shared/contract/metrics.ts';

interface Asked {
  readonly stage: string;
  /** The value of its dimension. */
  readonly of: string;
  readonly statistic: string;
  readonly period: Duration;
}

/** One of the registry's own metrics, as alarms and the dashboard read it. */
export const ownMetric = (name: MetricName, { stage, of, statistic, period }: Asked): Metric =>
  new Metric({
    namespace: namesOf(stage).metrics,
    metricName: name,
    dimensionsMap: { [metrics[name].by]: of },
    statistic,
    period,
    label: of,
  });
