import type { Measured } from './cold-functions.ts';
import type { ColdStart } from './cold-process.ts';
import { median, ratio, spread } from './figures.ts';
import type { ReportRow } from './report.ts';

/**
 * The maximum ratios to the bare function: for CPU time if a function uses only tables, for CPU time otherwise, and for
 * wall time. The last ratio is the maximum ratio of wall time to the `usual` baseline.
 */
const targets = { tableCpu: 0.95, queueCpu: 1.05, wall: 0.7, usual: 0.4 } as const;
/**
 * A function with several AWS clients has its own limit for the ratio of its wall time to that of the `usual` baseline.
 */
const usualTargets: Readonly<Record<string, number>> = { subscribe: 0.6 };

type Starts = ReadonlyMap<string, readonly ColdStart[]>;

const cpuOf = ({ cpuMs }: ColdStart): number => cpuMs;
const wallOf = ({ initMs, callMs }: ColdStart): number => initMs + callMs;

const usesMore = ({ variables }: Measured): boolean =>
  Object.keys(variables).some((name) => /_(?:QUEUE_URL|BUCKET|SECRET_ARN)$/.test(name));

/** Returns a report row for each function, starting with the baselines. */
export function coldRows(candidates: readonly Measured[], starts: Starts): ReportRow[] {
  const of = (name: string) => starts.get(name) ?? [];
  const medianOf = (name: string, value: (start: ColdStart) => number) => median(of(name).map(value));
  const against = (own: number, baseline: number): string => ratio(own / baseline);
  return candidates.map((one): ReportRow => {
    const [cpu, wall] = [medianOf(one.name, cpuOf), medianOf(one.name, wallOf)];
    const isBaseline = one.name === 'bare' || one.name === 'usual';
    return {
      function: one.name,
      KB: (one.bytes / 1000).toFixed(0),
      MB: String(one.memoryMegabytes),
      answered: (of(one.name)[0]?.status ?? '').slice(0, 40),
      'CPU ms': spread(of(one.name).map(cpuOf)),
      'of bare': against(cpu, medianOf('bare', cpuOf)),
      target: isBaseline ? '' : ratio(usesMore(one) ? targets.queueCpu : targets.tableCpu),
      'init ms': spread(of(one.name).map(({ initMs }) => initMs)),
      'call ms': spread(of(one.name).map(({ callMs }) => callMs)),
      'both, of bare': against(wall, medianOf('bare', wallOf)),
      'target ': isBaseline ? '' : ratio(targets.wall),
      'of usual': against(wall, medianOf('usual', wallOf)),
      'target  ': isBaseline ? '' : ratio(usualTargets[one.name] ?? targets.usual),
    };
  });
}
