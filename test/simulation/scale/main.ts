import { progressBar } from '../../bench/terminal.ts';
import { readScaleOptions } from './options.ts';
import { printResult } from './report.ts';
import { runScale } from './run.ts';

/** Runs one simulation, prints its results, and returns the exit code. */
export async function scaleMode(args: readonly string[]): Promise<number> {
  const options = readScaleOptions(args);
  const seeding = progressBar('subscribers', options.subscribers);
  let passing: typeof seeding | undefined;
  const result = await runScale(options, {
    seeded: seeding.at,
    passed(ms) {
      if (passing === undefined) seeding.end();
      passing ??= progressBar('seconds', options.minutes * 60);
      passing.at(ms / 1000);
    },
  });
  passing?.end();
  result.world.close();
  const { lost, duplicates, rejected } = printResult(result);
  return lost + duplicates + rejected === 0 ? 0 : 1;
}
