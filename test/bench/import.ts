import { setTimeout as sleep } from 'node:timers/promises';
import { settingValue } from '../../infra/settings/settings.ts';
import { oneCoreMegabytes } from '../../shared/contract/background-functions.ts';
import { importChanges } from '../../shared/contract/workers/registry-workers.ts';
import { handOverMs } from '../../shared/registry/import/run-passes.ts';
import { settingsOf } from '../harness/variables.ts';
import { chanceOf } from '../simulation/clock/chance.ts';
import { whole } from './figures.ts';
import { bystandersOf } from './import-bystanders.ts';
import { Expected } from './import-expected.ts';
import { judge } from './import-judge.ts';
import { type Line, linesOf, nextOf } from './import-lines.ts';
import { runImports } from './import-runs.ts';
import { openWorld } from './import-world.ts';
import { optionsOf } from './parts.ts';
import { type Comparison, figure, judge as judgeFigure, type ReportRow, report } from './report.ts';
import { progressBar } from './terminal.ts';

// Imports a file of changes into an embedded store while searches run. The function runs in a separate process. A fixed
// seed determines when the process is killed. After each kill, a new process continues the import. `npm run bench --
// import --lines 1000000 --kills 10`

const { lines, kills, bystanders: strangers, seconds: pacedSeconds } = optionsOf('import');
const key = 'imports/people.ndjson';
const chance = chanceOf(1);
const asDefault = settingValue(settingsOf({}), 'importWritesPerSecond');
const betweenSearchesMs = 20;
const checkSeconds = 10;
// A run does not start another chunk if less than 3 × `handOverMs` is left.
const handOverSeconds = (3 * handOverMs) / 1000;

const row = (measured: string, value: number, target?: Comparison['target']): ReportRow => ({
  measured,
  figure: figure(value),
  ...judgeFigure(value, target),
});

/** Yields each line after applying it to the expected result. */
async function* applying(source: AsyncIterable<Line>, expected: Expected): AsyncGenerator<Line> {
  for await (const line of source) {
    expected.apply(line);
    yield line;
  }
}

const world = await openWorld();
try {
  const bystanders = await bystandersOf(world.dynamo, 'persons', strangers);
  const expected = new Expected();
  // About half of the lines register a person.
  const source = linesOf(Math.ceil(lines / 2));
  const sha256 = await world.put(key, applying(nextOf(source, lines), expected));

  const searches = { asked: 0, other: 0 };
  let isDone = false;
  const searching = (async () => {
    const itsChance = chance.fork();
    for (; !isDone; await sleep(betweenSearchesMs)) {
      if (await bystanders.isOneOther(itsChance)) searches.other += 1;
      searches.asked += 1;
    }
  })();
  // A kill during the check comes after at most `lines / 1000` ms of CPU. A whole check takes longer than this.
  const killChecksAfter = Array.from({ length: kills }, () => chance.int(0, Math.ceil(lines / 1000)));
  const killAt = Array.from({ length: kills }, () => chance.int(0, Math.floor(lines * 0.95))).toSorted((a, b) => a - b);
  const bar = progressBar('lines', lines);
  const settings = { importWritesPerSecond: '40000' };
  const ran = await runImports(world, { sha256, killChecksAfter, killAt, lines, settings, onLines: bar.at });
  isDone = true;
  await searching;
  bar.end();
  const state = await world.state(sha256);
  if (state?.endedAt === undefined) throw new Error('the queue is empty, but the import has not ended');
  const found = await judge({ world, key, importId: state.importId, expected, bystanders });
  const otherAfter = await bystanders.countOthers();

  const { writes } = expected;
  const counts = structuredClone(expected.counts);
  const published = expected.published.length;
  const more = asDefault * (checkSeconds + pacedSeconds + handOverSeconds);
  const paced = await world.put('imports/paced.ndjson', applying(nextOf(source, more), expected));
  const pacedRun = { sha256: paced, killChecksAfter: [], killAt: [], lines: more, settings: {}, mostRuns: 1 };
  // The first run checks the additional lines, so the second run only applies them.
  await runImports(world, { ...pacedRun, functionSeconds: handOverSeconds + checkSeconds });
  const atDefault = await runImports(world, { ...pacedRun, functionSeconds: handOverSeconds + pacedSeconds });
  const writesOfMore = (expected.writes - writes) / more;
  const ofMore = (value: number): number => value / atDefault.lines;

  const linesAtDefault = (asDefault * lines) / writes;
  const { memoryMegabytes } = importChanges.lanes[0];
  // The CPU milliseconds that are available for each line at the default pace.
  const mostCpuMs = (1000 * (memoryMegabytes / oneCoreMegabytes) * writesOfMore) / asDefault;
  const none = { atMost: 0 };
  const rows = [
    row('lost lines or events', found.lost, none),
    row('duplicate lines or events', found.doubled, none),
    row('persons who differ from the imported lines', found.other, none),
    row('reports with wrong counts', found.isReportRight ? 0 : 1, none),
    row(
      `search results about bystanders that changed during the import, of ${whole(searches.asked)}`,
      searches.other,
      none,
    ),
    row(
      `search results about bystanders that differ after the import, of ${whole(bystanders.questions)}`,
      otherAfter,
      none,
    ),
    row('kills during the check', ran.kills.check),
    row('kills while lines are applied', ran.kills.apply),
    row('CPU seconds to check all lines, including process starts', ran.checkCpuMs / 1000, {
      atMost: 60,
    }),
    row('peak memory in MB until all lines are checked', ran.megabytes.checked),
    row('peak memory in MB until a tenth of the lines is applied', ran.megabytes.tenth),
    row('peak memory in MB until all lines are applied', ran.megabytes.all, { atMost: memoryMegabytes }),
    row('lines per second at full speed', lines / ran.seconds),
    row('table writes per line, as counted for `importWritesPerSecond`', writes / lines),
    row('lines per second at the default pace, computed from the table writes per line', linesAtDefault),
    row('minutes for all lines at the default pace', lines / linesAtDefault / 60),
    row('lines per second at the default pace, measured with additional lines', atDefault.lines / atDefault.seconds, {
      atMost: asDefault,
    }),
    row('AWS calls per line', ofMore(atDefault.calls)),
    row('ms of CPU per line', ofMore(atDefault.cpuMs), { atMost: mostCpuMs }),
    row('write units per line, including indexes and events', ofMore(atDefault.writeUnits)),
  ];
  const kinds = Object.entries({ ...counts.applied, repeated: counts.repeated, published });
  const how =
    `${whole(lines)} lines (${kinds.map(([kind, count]) => `${kind} ${whole(count)}`).join(', ')}), killed ` +
    `${ran.kills.check} and ${ran.kills.apply} times at moments given by a fixed seed, in ${ran.runs} runs`;
  await report('import', how, rows, {
    counts,
    killChecksAfter,
    killAt,
    ran,
    found,
    searches,
    otherAfter,
    writes,
    atDefault,
  });
  const isWell = found.lost + found.doubled + found.other + searches.other + otherAfter === 0 && found.isReportRight;
  process.exitCode = isWell ? 0 : 1;
} finally {
  await world.close();
}
