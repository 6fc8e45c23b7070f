import { endpoints } from '../../shared/contract/endpoints.ts';
import { type Checkout, copyCheckout, type StartedStack, startStackIn } from '../harness/checkout.ts';
import { median, spread, whole } from './figures.ts';
import { optionsOf } from './parts.ts';
import { judge, type ReportRow, report } from './report.ts';
import { progressBar } from './terminal.ts';

// Measures the time from a save until the new code responds, in a copy of the project. A slow result never fails the
// run. `npm run bench -- dev`

const { rounds } = optionsOf('dev');

/** The target: the new code responds within one second of a save. */
const mostMs = 1000;

/** Each row contains a label, the path of the saved file, and an operation that uses the file. */
const rows: readonly (readonly [what: string, source: string, operation: string])[] = [
  ['a function', 'functions/topics/list-topics.ts', 'listTopics'],
  ['a store that several functions use', 'shared/storage/topics/store.ts', 'listTopics'],
  ['the handler kit that all endpoints use', 'shared/lambda/serve.ts', 'findPersons'],
];

const checkout: Checkout = copyCheckout();
const stack: StartedStack = await startStackIn(checkout, '--watch', '--json');

/** Calls an operation until the new code responds. */
async function served(mark: string, operation: string): Promise<void> {
  const endpoint = endpoints.find((one) => one.operation === operation);
  if (endpoint === undefined) throw new Error(`no endpoint ${operation}`);
  const path = endpoint.path.replaceAll(/\{\w+\}/g, '1');
  const headers = { authorization: `Bearer ${token}` };
  while (!stack.lines.some((line) => line.includes(mark))) {
    await (await fetch(`${stack.outputs.baseUrl}${path}`, { method: endpoint.method, headers })).arrayBuffer();
  }
}

const token = await stack.token([...new Set(endpoints.flatMap(({ scopes }) => scopes))].join(' '));
const bar = progressBar('saving', rows.length * rounds);
const table: ReportRow[] = [];
const figures: Record<string, readonly number[]> = {};
let saves = 0;
for (const [what, source, operation] of rows) {
  const written = checkout.read(source);
  const times: number[] = [];
  // The first save is not counted, because the caches are still empty.
  for (let round = 0; round <= rounds; round += 1) {
    saves += 1;
    const mark = `saved-${saves}`;
    const start = performance.now();
    checkout.save(source, `${written}\nconsole.info('${mark}');\n`);
    await served(mark, operation);
    if (round > 0) times.push(performance.now() - start);
    bar.at(saves);
  }
  const news = stack.news().at(-1) ?? '';
  figures[what] = times;
  table.push({
    saved: what,
    'functions reloaded': /reloaded (\d+) functions/.exec(news)?.[1] ?? String(news.split(',').length),
    'served after, ms': spread(times, 0),
    most: whole(Math.max(...times)),
    ...judge(median(times), { atMost: mostMs }),
  });
  checkout.save(source, written);
}
bar.end();
await stack.end('SIGTERM');
checkout.remove();
await report(
  'dev',
  `${rounds} saves per row; time from a save to the first response of the new code, median (and least)`,
  table,
  figures,
);
