import { describe, expect, it } from 'vitest';
import { costGaps, costs } from '../../infra/costs.ts';
import { pricesOf } from '../../infra/docs/prices.ts';
import { readInterface } from '../../shared/contract/endpoints/access.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import type { Job } from '../../shared/contract/job.ts';
import { jobs } from '../../shared/contract/jobs.ts';

describe('what it costs, or else npm run cost', () => {
  it('is known of each operation, and of nothing that is none', () => {
    expect(costGaps(endpoints, costs)).toEqual([]);
  });

  it('is missed of an operation that is new, and of one that is gone', () => {
    const another = { ...readInterface, operation: 'anotherOne' };
    expect(costGaps([...endpoints, another], costs)).toEqual(['anotherOne']);
    expect(costGaps(endpoints.slice(1), costs)).toEqual([endpoints[0]?.operation]);
  });

  it('is known of each job that runs by the clock', () => {
    const told = costs.work.map(({ what }) => what).join('\n');
    const byTheClock = (jobs as readonly Job[]).filter(({ everyMinutes }) => everyMinutes !== undefined);
    expect(byTheClock.length).toBeGreaterThan(0);
    expect(byTheClock.filter(({ job }) => !told.includes(`\`${job}\``))).toEqual([]);
  });

  it('is at the prices of the list', () => {
    expect(costs.pricesOf).toBe(pricesOf);
    const rows = [...costs.work, ...costs.year.rows];
    const dollars = [...costs.operations.map(({ million }) => million), ...rows.map((row) => row.dollars)];
    expect(dollars.filter((text) => !(Number(text) > 0))).toEqual([]);
  });

  it('is of a year the sum of what is told of it', () => {
    const sum = costs.year.rows.reduce((all, { dollars }) => all + Number(dollars), 0);
    // Each row is rounded by itself.
    expect(Math.abs(sum - Number(costs.year.together))).toBeLessThan(0.01 * costs.year.rows.length);
  });
});
