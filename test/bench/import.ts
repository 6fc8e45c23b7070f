import { settingValue } from '../../infra/settings/settings.ts';
import { oneCoreMegabytes } from '../../shared/contract/job.ts';
import { importChanges } from '../../shared/contract/workers/persons-workers.ts';
import { writeCost } from '../../shared/domain/imports/import-limits.ts';
import { parseChange } from '../../shared/domain/imports/parse-change.ts';
import { handOverMs } from '../../shared/registry/import/run-pass.ts';
import { settingsOf } from '../harness/variables.ts';
import { whole } from './figures.ts';
import { type Line, linesOf, nextOf } from './import-lines.ts';
import { runImports } from './import-runs.ts';
import { openWorld } from './import-world.ts';
import { optionsOf } from './parts.ts';
import { type Comparison, figure, judge, type ReportRow, report } from './report.ts';
import { progressBar } from './terminal.ts';

// Imports a file of changes into an embedded store. The function runs in a separate process. `npm run bench -- import
// --lines 1000000`

const { lines, seconds: pacedSeconds } = optionsOf('import');
const defaults = settingsOf({});
const asDefault = settingValue(defaults, 'importWritesPerSecond');
const rules = {
  extraAttributes: settingValue(defaults, 'extraAttributes'),
  uinFormat: settingValue(defaults, 'uinFormat'),
};
const checkSeconds = 10;
// A run does not start another chunk if less than this time is left.
const handOverSeconds = (3 * handOverMs) / 1000;

const row = (measured: string, value: number, target?: Comparison['target']): ReportRow => ({
  measured,
  figure: figure(value),
  ...judge(value, target),
});

/** The number of table writes of the generated lines, counted the way `importWritesPerSecond` counts them. */
let writes = 0;
async function* counted(source: AsyncIterable<Line>): AsyncGenerator<Line> {
  for await (const line of source) {
    const parsed = parseChange(line, rules);
    if ('rejected' in parsed) throw new Error(`the import would reject a generated line: ${parsed.rejected.reason}`);
    writes += writeCost(parsed.change);
    yield line;
  }
}

const world = await openWorld();
try {
  // About half of the lines register a person.
  const source = linesOf(Math.ceil(lines / 2));
  const sha256 = await world.put('imports/people.ndjson', counted(nextOf(source, lines)));
  const bar = progressBar('lines', lines);
  const settings = { importWritesPerSecond: '40000' };
  const ran = await runImports(world, { sha256, lines, settings, onLines: bar.at });
  bar.end();
  const state = await world.state(sha256);
  if (state?.endedAt === undefined) throw new Error('the queue is empty, but the import has not ended');
  if (state.counts.rejected > 0) throw new Error(`the import rejected ${state.counts.rejected} lines`);
  const writesOfFile = writes;

  const more = asDefault * (checkSeconds + pacedSeconds + handOverSeconds);
  const paced = await world.put('imports/paced.ndjson', counted(nextOf(source, more)));
  const pacedRun = { sha256: paced, lines: more, settings: {}, mostRuns: 1 };
  // The first run checks the lines, so that the second run only applies lines.
  await runImports(world, { ...pacedRun, functionSeconds: handOverSeconds + checkSeconds });
  const atDefault = await runImports(world, { ...pacedRun, functionSeconds: handOverSeconds + pacedSeconds });
  const writesPerLine = (writes - writesOfFile) / more;
  const perLine = (value: number): number => value / atDefault.lines;

  const linesAtDefault = (asDefault * lines) / writesOfFile;
  const { memoryMegabytes } = importChanges.lanes[0];
  // The CPU milliseconds per line that the function's memory provides at the default pace.
  const mostCpuMs = (1000 * (memoryMegabytes / oneCoreMegabytes) * writesPerLine) / asDefault;
  const rows = [
    row('CPU seconds for the check of all lines', ran.checkCpuMs / 1000, { atMost: 60 }),
    row('peak MB of the process until all lines are checked', ran.megabytes.checked),
    row('peak MB of the process until a tenth of the lines is applied', ran.megabytes.tenth),
    row('peak MB of the process until all lines are applied', ran.megabytes.all, { atMost: memoryMegabytes }),
    row('lines per second at full speed', lines / ran.seconds),
    row('table writes per line, as counted by the setting', writesOfFile / lines),
    row('lines per second at the default pace, computed from the table writes per line', linesAtDefault),
    row('minutes for all lines at the default pace', lines / linesAtDefault / 60),
    row('lines per second at the default pace, measured with additional lines', atDefault.lines / atDefault.seconds, {
      atMost: asDefault,
    }),
    row('AWS calls per line', perLine(atDefault.calls)),
    row('ms of CPU per line', perLine(atDefault.cpuMs), { atMost: mostCpuMs }),
    row('write units per line, with indexes and events', perLine(atDefault.writeUnits)),
  ];
  const { applied, repeated } = state.counts;
  const kinds = Object.entries({ ...applied, repeated }).map(([kind, count]) => `${kind} ${whole(count)}`);
  const how = `${whole(lines)} lines (${kinds.join(', ')}) in ${whole(ran.runs)} runs`;
  await report('import', how, rows, { counts: state.counts, ran, writes: writesOfFile, atDefault });
} finally {
  await world.close();
}
