import { type MetricName, type metrics, metricVariables } from '../contract/metrics.ts';
import { ambient } from './ambient.ts';
import { processEnvironment } from './environment.ts';
import { type MetricValue, metricLines } from './metric-lines.ts';

type OfFunctions = { [N in MetricName]: (typeof metrics)[N]['by'] extends 'Function' ? N : never }[MetricName];

// Lambda gives a copy of a function one invocation at a time: what is here is of the present one.
let values: MetricValue[] = [];

/**
 * Adds a value to a metric of the list, which goes out at the end of the invocation.
 * @param value of a count how many more (1), of anything else as it was measured, in the metric's unit
 * @param of the value of its dimension, where that is not the function: one of few, and never personal
 */
export function addMetric(name: OfFunctions, value?: number): void;
export function addMetric(name: Exclude<MetricName, OfFunctions>, value: number, of: string): void;
export function addMetric(name: MetricName, value = 1, of?: string): void {
  values.push({ name, value, of: of ?? processEnvironment()[metricVariables.function] ?? '' });
}

/**
 * Writes what was added, in CloudWatch's embedded metric format, straight to standard output: there Lambda passes on what is
 * JSON as it is; by the console it would become the `message` of a log line, of which CloudWatch reads no metric.
 */
export function writeMetrics(): void {
  const given = values;
  values = [];
  const namespace = processEnvironment()[metricVariables.namespace];
  // A handler that no stack has deployed has nobody to tell.
  if (namespace === undefined) return;
  for (const line of metricLines(given, namespace, ambient.now())) process.stdout.write(`${line}\n`);
}

/** Has middy write them at the very end, whatever an invocation comes to. */
export const tellsMetrics = { requestEnd: writeMetrics } as const;
