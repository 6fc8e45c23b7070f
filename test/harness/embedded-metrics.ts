import * as z from 'zod';

const name = z.string().min(1).max(255);

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
const directive = z.strictObject({
  Namespace: name,
  Dimensions: z.array(z.array(name).min(1).max(30)).min(1),
  Metrics: z.array(z.strictObject({ Name: name, Unit: z.enum(['Count', 'Milliseconds', 'Seconds']) })).max(100),
});
const line = z.looseObject({
  _aws: z.strictObject({ Timestamp: z.int().positive(), CloudWatchMetrics: z.array(directive) }),
});
const values = z.union([z.number(), z.array(z.number()).max(100)]);

interface ReadMetric {
  readonly namespace: string;
  readonly name: string;
  readonly unit: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly values: readonly number[];
}

/**
 * Returns the metrics that CloudWatch extracts from a log line.
 * @throws if the line does not conform to the specification
 */
export function readEmbedded(text: string): ReadMetric[] {
  const { _aws, ...members } = line.parse(JSON.parse(text));
  return _aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((set) =>
      Metrics.map(({ Name, Unit }) => ({
        namespace: Namespace,
        name: Name,
        unit: Unit,
        dimensions: Object.fromEntries(set.map((key) => [key, name.parse(members[key])])),
        values: [values.parse(members[Name])].flat(),
      })),
    ),
  );
}
