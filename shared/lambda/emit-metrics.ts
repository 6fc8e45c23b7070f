import { type MetricName, type metrics, metricVariables } from '../contract/metrics.ts';
import { ambient } from './ambient.ts';
import { processEnvironment } from './environment.ts';
import { type MetricValue, metricLines } from './metric-lines.ts';

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
