import { beforeAll, expect, test } from 'vitest';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { metrics } from '../../shared/contract/metrics.ts';
import { queues } from '../../shared/contract/queue-names.ts';
import { tables } from '../../shared/contract/tables.ts';
import { type Properties, type Resource, synthesizeTemplate } from '../harness/template.ts';

let dashboard: Resource | undefined;
let widgets: Properties[] = [];
let alarmCount = 0;

// The text of the dashboard must be JSON, so placeholders replace values that are known only at deployment.
const textOf = (part: unknown): string => (typeof part === 'string' ? part : JSON.stringify(part).replace(/\W+/g, ' '));

beforeAll(async () => {
  const { observability } = await synthesizeTemplate({ stage: 'prod' });
  [dashboard] = observability.ofType('AWS::CloudWatch::Dashboard');
  const body = dashboard?.properties.DashboardBody['Fn::Join'][1] as unknown[];
  widgets = JSON.parse(body.map(textOf).join('')).widgets;
  alarmCount = observability.ofType('AWS::CloudWatch::Alarm').length;
});

const graphs = (): Properties[] => widgets.filter(({ type }) => type === 'metric').map(({ properties }) => properties);

test('the dashboard shows all alarms first, followed by its sections in the order of an investigation', () => {
  expect(dashboard?.properties.DashboardName).toBe(namesOf('prod').dashboard);
  expect(widgets[0]?.properties.alarms).toHaveLength(alarmCount);
  // CloudWatch shows at most 100 alarms per widget.
  expect(alarmCount).toBeLessThanOrEqual(100);
  const questions = [
    ...['Do requests succeed?', 'Do events arrive?', 'Are events delivered?', 'Where do messages wait?'],
    ...['Does AWS throttle?', 'Are emails sent?', 'Who gets access?', 'What does it cost?'],
  ].map((question) => `## ${question}`);
  const texts = widgets.filter(({ type }) => type === 'text').map(({ properties }) => properties.markdown);
  expect(texts).toEqual(questions);
});

test("the dashboard shows every metric in the contract, for every value of the metric's dimension", () => {
  const searches = graphs()
    .flatMap(({ metrics: shown }) => shown.flat())
    .flatMap(({ expression }: Properties) => expression ?? []);
  for (const [name, { by }] of Object.entries(metrics)) {
    const wanted = `SEARCH('{${namesOf('prod').metrics},${by}} MetricName="${name}"'`;
    expect(
      searches.filter((one: string) => one.startsWith(wanted)),
      name,
    ).not.toEqual([]);
  }
});

test('the dashboard shows every queue and its dead letters, and every graph has a title, a unit and at most 500 metrics', () => {
  const shown = (title: string) => graphs().find((one) => one.title === title)?.metrics as unknown[];
  expect(shown('DynamoDB units, by table')).toHaveLength(2 * Object.keys(tables).length);
  for (const title of ['Age of the oldest message, by queue', 'Waiting messages, by queue', 'Dead letters, by queue']) {
    expect(shown(title)).toHaveLength(Object.keys(queues).length);
  }
  for (const { title, metrics: lines, yAxis } of graphs()) {
    expect(title).toBeTruthy();
    expect(lines.length).toBeLessThanOrEqual(500);
    expect(yAxis.left.label).toBeTruthy();
  }
});
