import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

interface CountLinesProps {
  readonly logs: ServiceFunction['logs'];
  /** What the lines say. */
  readonly message: string;
  readonly metricName: string;
}

/** Counts a function's log lines of one message in a metric of the registry. */
export const countLines = (
  scope: Construct,
  id: string,
  { logs, message, metricName }: CountLinesProps,
): MetricFilter =>
  new MetricFilter(scope, id, {
    logGroup: logs,
    metricNamespace: 'IdentityRegistry',
    metricName,
    filterPattern: FilterPattern.stringValue('$.message.message', '=', message),
    metricValue: '1',
  });
