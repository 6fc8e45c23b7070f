import type { Chart } from '../state.ts';
import { byId, element } from './element.ts';
import { formatCount, formatLatency, moment } from './format.ts';

const height = 100;
// The line is drawn in an area above the bars, so that the line and the bars do not overlap.
const barHeight = 55;
const lineHeight = 36;
const svgNamespace = 'http://www.w3.org/2000/svg';

function svg(tag: string, attributes: Readonly<Record<string, string | number>>, ...children: Node[]): SVGElement {
  const created = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, String(value));
  created.append(...children);
  return created;
}

const seconds: readonly [number, string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** Describes a period in words, such as `minute` or `30 minutes`. */
function periodText(periodMs: number): string {
  const [length, unit] = seconds.find(([one]) => periodMs >= one * 1000) ?? [1, 'second'];
  const count = periodMs / 1000 / length;
  return count === 1 ? unit : `${formatCount(count)} ${unit}s`;
}

function picture({ points }: Chart, most: number, longest: number, label: string): SVGElement {
  const step = 10;
  const bars = points.map(({ events }, index) => {
    const bar = (events / Math.max(1, most)) * barHeight;
    return svg('rect', { x: index * step + 1, y: height - bar, width: step - 2, height: bar });
  });
  const line = points.flatMap(({ latencyMs }, index) =>
    latencyMs === undefined
      ? []
      : [`${index * step + step / 2},${2 + lineHeight * (1 - latencyMs / Math.max(1, longest))}`],
  );
  // A line with only one point would be invisible, so a short segment is added.
  const [only] = line;
  const [x = '0', y = '0'] = only?.split(',') ?? [];
  if (line.length === 1) line.push(`${Number(x) + 3},${y}`);
  return svg(
    'svg',
    {
      ...{ class: 'chart', role: 'img', 'aria-label': label },
      ...{ viewBox: `0 0 ${points.length * step} ${height}`, preserveAspectRatio: 'none' },
    },
    ...bars,
    svg('polyline', { points: line.join(' ') }),
  );
}

function table({ points }: Chart, period: string): HTMLElement {
  const rows = points
    .filter(({ events, latencyMs }) => events > 0 || latencyMs !== undefined)
    .toReversed()
    .map(({ at, events, latencyMs }) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, moment(at)),
        element('td', { class: 'number' }, formatCount(events)),
        element('td', { class: 'number' }, latencyMs === undefined ? '–' : formatLatency(latencyMs)),
      ),
    );
  const heads = [`Start of the ${period}`, 'Events', 'Latency'].map((head) => element('th', { scope: 'col' }, head));
  return element('table', {}, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...rows));
}

/** Creates the chart and a table with the same numbers. The chart shows events as bars and latency as a line. */
export function createChartView(): (chart: Chart) => void {
  let last = '';
  let isOpen = false;
  return (chart) => {
    const text = JSON.stringify(chart);
    if (text === last) return;
    last = text;
    const most = Math.max(...chart.points.map(({ events }) => events));
    const longest = Math.max(0, ...chart.points.map(({ latencyMs }) => latencyMs ?? 0));
    const period = periodText(chart.periodMs);
    const events = `Events per ${period}, at most ${formatCount(most)}`;
    const latency = `Median time from publishing to delivery, at most ${formatLatency(longest)}`;
    const details = element('details', { open: isOpen }, element('summary', {}, 'As a table'), table(chart, period));
    details.addEventListener('toggle', () => {
      isOpen = details.open;
    });
    const hadFocus = document.activeElement?.matches('#chart summary') === true;
    byId('chart').replaceChildren(
      picture(chart, most, longest, `${events}. ${latency}.`),
      element(
        'p',
        { class: 'quiet legend', 'aria-hidden': 'true' },
        element('span', {}, element('span', { class: 'key' }), events),
        element('span', {}, element('span', { class: 'key line' }), latency),
      ),
      details,
    );
    if (hadFocus) details.querySelector('summary')?.focus();
  };
}
