import { expect, test } from 'vitest';
import { warmOnce } from '../../../infra/settings/setting-prices.ts';
import { tieringYear } from '../../bench/cost-year.ts';
import { type Properties, synthesizeTemplate } from '../../harness/template.ts';

test('the documented price of warm throughput covers every table and index that the stage prod keeps warm', async () => {
  const template = await synthesizeTemplate({ stage: 'prod' });
  const warmed = template
    .ofType('AWS::DynamoDB::GlobalTable')
    .flatMap(({ properties }): Properties[] => [properties, ...(properties.GlobalSecondaryIndexes ?? [])])
    .flatMap(({ WarmThroughput }) => WarmThroughput ?? []);
  const each = warmed.map(
    ({ WriteUnitsPerSecond: writes, ReadUnitsPerSecond: reads }) =>
      (writes - 4000) * 0.00065 + (reads - 12_000) * 0.00013,
  );
  expect(warmed.length).toBeGreaterThan(5);
  expect(warmOnce(12_000)).toBeCloseTo(each.reduce((sum, one) => sum + one));
  expect(warmOnce(4000)).toBe(0);
});

test('tiering saves more the less often documents are read, but incurs a cost for each document', () => {
  // Per year, 1 GB costs $0.276 in Standard and $0.048 in the cheapest tier. Monitoring one document costs $0.00003.
  expect(tieringYear(1, 1, 0)).toBeCloseTo(0.276 - 0.048 - 0.00003, 6);
  // A document that is read is in Standard for a month and then in the second tier for two months.
  expect(tieringYear(1, 1, 1)).toBeCloseTo(tieringYear(1, 1, 0) - (0.019 + 2 * 0.0085), 6);
  expect(tieringYear(1, 1e-6, 0)).toBeLessThan(0);
});
