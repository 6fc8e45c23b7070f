import { regions } from '../../../infra/docs/prices.ts';
import { answerParent } from '../../bench/process.ts';
import type { Reach } from './figures.ts';
import { readScaleOptions } from './options.ts';
import { runScale } from './run.ts';

/** The figures of one run that the simulator's README shows. */
export interface Figures {
  /** The times until the given shares of the healthy subscribers have received the event. */
  readonly ms: Reach['ms'];
  readonly lost: number;
  readonly duplicates: number;
  readonly firstLimit: string;
  /** The modelled cost of the event in each region, in the order of the regions. */
  readonly dollars: readonly number[];
  readonly cpuSeconds: number;
}

answerParent<readonly string[], Figures>(async (args) => {
  const { http, failing, world } = await runScale(readScaleOptions(args), { seeded() {}, passed() {} });
  world.close();
  const all = [...http, ...failing];
  const [first] = http;
  if (first === undefined) throw new Error('no event was accepted');
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return {
    ms: first.ms,
    lost: all.reduce((sum, { lost }) => sum + lost, 0),
    duplicates: all.reduce((sum, { duplicates }) => sum + duplicates, 0),
    firstLimit: world.limits.inOrder()[0]?.limit ?? 'none',
    dollars: regions.map((region) => world.bill.lines().reduce((sum, line) => sum + line.dollars[region], 0)),
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
  };
});
