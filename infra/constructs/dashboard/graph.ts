import { Duration } from 'aws-cdk-lib';
import { GraphWidget, type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { type MetricName, metrics } from '../../../shared/contract/metrics.ts';

export const period = Duration.minutes(5);

/** A section of the dashboard: a question that operators ask, and graphs that help them to answer it. */
export interface Section {
  readonly question: string;
  readonly graphs: readonly GraphWidget[];
}

interface Graphed {
  readonly metrics: readonly IMetric[];
  /** The unit of the values, such as `ms` or `requests`. */
  readonly unit: string;
  readonly right?: readonly IMetric[];
  readonly rightUnit?: string;
}

export const graph = (title: string, { metrics: left, unit, right = [], rightUnit }: Graphed): GraphWidget =>
  new GraphWidget({
    title,
    width: 8,
    height: 6,
    left: [...left],
    leftYAxis: { label: unit, showUnits: false, min: 0 },
    right: [...right],
    ...(rightUnit && { rightYAxis: { label: rightUnit, showUnits: false, min: 0 } }),
  });

/** Returns a custom metric of the registry as a graph with one line for each value of the metric's dimension. */
export const eachDimension = (stage: string, name: MetricName, statistic: string): MathExpression =>
  new MathExpression({
    expression: `SEARCH('{${namesOf(stage).metrics},${metrics[name].by}} MetricName="${name}"', '${statistic}', ${period.toSeconds()})`,
    label: '',
    period,
  });

export const awsMetric = (
  service: string,
  metricName: string,
  { statistic, label = metricName, of = {} }: { statistic: string; label?: string; of?: Record<string, string> },
): Metric => new Metric({ namespace: `AWS/${service}`, metricName, dimensionsMap: of, statistic, label, period });
