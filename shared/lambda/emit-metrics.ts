import { type MetricName, metrics, metricVariables } from '../contract/metrics.ts';
import { ambient } from './ambient.ts';
import { processEnvironment } from './environment.ts';

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

type OfFunctions = { [N in MetricName]: (typeof metrics)[N]['by'] extends 'Function' ? N : never }[MetricName];

// A function instance handles one invocation at a time, so all values belong to the current invocation.
let values: MetricValue[] = [];

/**
 * Adds a value to a metric. The value is written at the end of the invocation.
 * @param value the increment of a count, or a measured value in the metric's unit
 * @param of the value of the metric's dimension (default: the function); use few values and no personal data
 */
export function addMetric(name: OfFunctions, value?: number): void;
export function addMetric(name: Exclude<MetricName, OfFunctions>, value: number, of: string): void;
export function addMetric(name: MetricName, value = 1, of?: string): void {
  values.push({ name, value, of: of ?? processEnvironment()[metricVariables.function] ?? '' });
}

/**
 * Writes the added values to standard output in CloudWatch's embedded metric format. Lambda passes JSON on unchanged.
 * `console` would wrap the JSON in a log line, in which CloudWatch does not find metrics.
 */
export function writeMetrics(): void {
  const given = values;
  values = [];
  const namespace = processEnvironment()[metricVariables.namespace];
  // Outside a deployed stack, handlers have no metric namespace.
  if (namespace === undefined) return;
  for (const line of metricLines(given, namespace, ambient.now())) process.stdout.write(`${line}\n`);
}

/** A middy option that writes the added metrics at the end of every invocation. */
export const writesMetrics = { requestEnd: writeMetrics } as const;
