import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesizeWithoutCode } from '../../infra/build/synthesize.ts';
import { costOf, monthlyPrices } from '../../infra/docs/prices.ts';
import { readTemplate, type TemplateResource } from '../../infra/local/aws/template/template.ts';
import type { BillDetail } from '../simulation/scale/bill.ts';
import { idlePolling } from '../simulation/scale/costs.ts';
import { idleOf } from './cost-event.ts';
import { hoursOfMonth } from './cost-kept.ts';

/**
 * Returns the number of metrics billed for an alarm. An alarm on an expression is billed for each metric in the
 * expression.
 */
const metricsOf = ({ properties: { Metrics = [] } }: TemplateResource): number =>
  Math.max(1, (Metrics as { MetricStat?: object }[]).filter(({ MetricStat }) => MetricStat !== undefined).length);

async function deployed(stage: string): Promise<readonly TemplateResource[]> {
  const outdir = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const assembly = await synthesizeWithoutCode({ outdir, stage });
    // The template of the service stack includes the resources of the data stack.
    const stacks = [assembly.stackName, `${assembly.stackName}-Observability`];
    return stacks.flatMap((stackName) => [...readTemplate({ ...assembly, stackName }).resources.values()]);
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

// Exports start within four hours, and all later hours have the same cost.
const hoursBefore = 4;

/** Returns the resource use of scheduled jobs in a month without requests, extrapolated from one simulated hour. */
async function workOfMonth(): Promise<BillDetail[]> {
  const [before, after] = [await idleOf(hoursBefore * 60), await idleOf((hoursBefore + 1) * 60)];
  return after.map((one) => {
    const known = before.find(({ by, call, item }) => by === one.by && call === one.call && item === one.item);
    return { ...one, count: (one.count - (known?.count ?? 0)) * hoursOfMonth };
  });
}

/** Returns the cost, in dollars, of each scheduled job in a month without requests. */
export async function clockMonth(): Promise<ReadonlyMap<string, number>> {
  const dollars = new Map<string, number>();
  for (const { by, item, count } of await workOfMonth()) dollars.set(by, (dollars.get(by) ?? 0) + costOf(item, count));
  return dollars;
}

/** Returns the monthly cost, in dollars, of a stage without requests, based on its template and one simulated hour. */
export async function idleMonth(stage: string): Promise<number> {
  const resources = await deployed(stage);
  const of = (type: string) => resources.filter((one) => one.type === type);
  const { alarm, dashboard, secret } = monthlyPrices;
  const alarms = of('AWS::CloudWatch::Alarm').reduce((sum, one) => sum + metricsOf(one), 0);
  const pollers = of('AWS::Lambda::EventSourceMapping').length * idlePolling.pollers;
  const work = await workOfMonth();
  return (
    alarms * alarm['us-east-1'] +
    of('AWS::CloudWatch::Dashboard').length * dashboard['us-east-1'] +
    of('AWS::SecretsManager::Secret').length * secret['us-east-1'] +
    costOf('SQS requests', (pollers * 3600 * hoursOfMonth) / idlePolling.seconds) +
    work.reduce((sum, { item, count }) => sum + costOf(item, count), 0)
  );
}
