import type { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { type MetricName, metrics } from '../../shared/contract/metrics.ts';
import { tables as shapes, type Table, type TableName } from '../../shared/contract/tables.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import type { ServiceStack } from '../stacks/service-stack.ts';
import type { Tables } from './tables.ts';

/** The stage, settings and stack that the alarms and the dashboard monitor. */
export interface Monitored {
  readonly stage: string;
  readonly settings: DeploymentSettings;
  readonly service: ServiceStack;
}

/**
 * Returns the CloudWatch dimensions of a table and of each of its indexes. DynamoDB has separate throttling and metrics
 * for each table and each index ("DynamoDB Metrics and dimensions", Amazon DynamoDB Developer Guide).
 * @returns the dimensions by label, which is `<table>` or `<table> <index>`
 */
export function tableDimensions(tables: Tables, name: TableName): ReadonlyMap<string, Record<string, string>> {
  const TableName = tables.byName[name].tableName;
  const { indexes = {} }: Table = shapes[name];
  return new Map([
    [name, { TableName }],
    ...Object.keys(indexes).map((index): [string, Record<string, string>] => [
      `${name} ${index}`,
      { TableName, GlobalSecondaryIndexName: index },
    ]),
  ]);
}

interface Asked {
  readonly stage: string;
  readonly of: string;
  readonly statistic: string;
  readonly period: Duration;
}

export const registryMetric = (name: MetricName, { stage, of, statistic, period }: Asked): Metric =>
  new Metric({
    namespace: namesOf(stage).metrics,
    metricName: name,
    dimensionsMap: { [metrics[name].by]: of },
    statistic,
    period,
    label: of,
  });
