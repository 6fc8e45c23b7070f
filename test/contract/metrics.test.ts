import { expect, test } from 'vitest';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import { metrics } from '../../shared/contract/metrics.ts';
import { workerLanes } from '../../shared/contract/workers.ts';

const uses = (one: { readonly uses: readonly string[] }, capability: string): boolean => one.uses.includes(capability);
const functionNames: readonly string[] = [
  ...endpoints.map(({ operation }) => operation),
  ...workerLanes.map(({ lane }) => lane),
  ...jobs.map(({ job }) => job),
  authorizer.name,
];
const delivering = workerLanes.filter((lane) => uses(lane, 'deliveries:deliver')).map(({ lane }) => lane as string);

test('metrics refer to existing functions, and the delivery metrics cover every function that delivers messages', () => {
  for (const { from } of Object.values(metrics)) {
    if (from !== 'all') for (const name of from) expect(functionNames).toContain(name);
  }
  expect(metrics.Attempts.from.toSorted()).toEqual(delivering.toSorted());
  const endingDeliveries = jobs.filter((job) => uses(job, 'deliveries:sweep')).map(({ job }) => job as string);
  expect(metrics.DeliveriesFailed.from.toSorted()).toEqual([...delivering, ...endingDeliveries].toSorted());
});
