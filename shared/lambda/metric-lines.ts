import { type MetricName, metrics } from '../contract/metrics.ts';

/** A value of a metric: the increment of a count, or a measured value. */
export interface MetricValue {
  readonly name: MetricName;
  readonly value: number;
  /** The value of the metric's dimension. */
  readonly of: string;
}

// CloudWatch reads at most 100 values of a metric per line.
const mostValues = 100;

/** One line of output, with at most one value for each dimension. */
interface Line {
  readonly dimensions: Map<string, string>;
  readonly values: Map<MetricName, number[]>;
}

const takes = ({ dimensions, values }: Line, { name, of }: MetricValue): boolean => {
  const { by, unit } = metrics[name];
  const isFull = unit !== 'Count' && (values.get(name)?.length ?? 0) >= mostValues;
  return !isFull && (dimensions.get(by) ?? of) === of;
};

function add({ dimensions, values }: Line, { name, value, of }: MetricValue): void {
  const { by, unit } = metrics[name];
  dimensions.set(by, of);
  const before = values.get(name) ?? [];
  values.set(name, unit === 'Count' ? [(before[0] ?? 0) + value] : [...before, value]);
}

function written({ dimensions, values }: Line, namespace: string, now: number): string {
  const directives = [...dimensions.keys()].map((by) => ({
    Namespace: namespace,
    Dimensions: [[by]],
    Metrics: [...values.keys()]
      .filter((name) => metrics[name].by === by)
      .map((name) => ({ Name: name, Unit: metrics[name].unit })),
  }));
  const metricValues = [...values].map(([name, given]) => [name, given.length === 1 ? given[0] : given] as const);
  return JSON.stringify({
    _aws: { Timestamp: now, CloudWatchMetrics: directives },
    ...Object.fromEntries(dimensions),
    ...Object.fromEntries(metricValues),
  });
}

/**
 * Formats metric values in CloudWatch's embedded metric format, in as few lines as possible. A line can contain one
 * value for each dimension and up to 100 values for each metric.
 * @param now epoch milliseconds
 */
export function metricLines(given: readonly MetricValue[], namespace: string, now: number): string[] {
  const lines: Line[] = [];
  for (const one of given) {
    let line = lines.find((each) => takes(each, one));
    if (line === undefined) {
      line = { dimensions: new Map(), values: new Map() };
      lines.push(line);
    }
    add(line, one);
  }
  return lines.map((line) => written(line, namespace, now));
}
