import { expect, it } from 'vitest';
import { createPaint } from '../../../../infra/local/console/terminal.ts';
import { monthHeader, monthLine, sparkline } from '../../../../infra/local/demo/month-table.ts';

it('a sparkline has one bar for each count, and the highest bar represents the highest count', () => {
  expect([[0, 1, 4, 8], [0, 0], [3]].map(sparkline)).toEqual(['▁▂▅█', '▁▁', '█']);
});

it('the figures for a month line up under their headings', () => {
  const paint = createPaint({ isTTY: false }, {});
  const counts = { liveBirth: 9, death: 8, divorce: 1 };
  const line = monthLine('May', { counts, trend: [1, 2] }, { delivered: 1234, failed: 0, pending: 5 }, paint);
  expect([monthHeader(paint), line]).toEqual([
    '  month      days          births  deaths  marriages  others  events  delivered  failed  pending',
    '  May        ▅█                 9       8          0       1      18       1234       0        5',
  ]);
});
