import { type LaneQueue, laneOf } from '../../domain/deliveries/channels.ts';
import { decideAudit, decideLook, type Held, type LaneLoad, type Look } from '../../domain/deliveries/look.ts';
import { recoveryKey } from '../../domain/deliveries/task-key.ts';
import { auditMs, graceMs } from '../../domain/deliveries/times.ts';
import { type Protocol, protocols } from '../../domain/subscriptions/subscription.ts';
import type { DueRow } from '../../storage/deliveries/row-schemas.ts';

/** Every queue that what the sweeper looks for may wait in. */
type LookedQueue = LaneQueue | 'fanOut' | 'retry';

/** What it takes to see what the queues hold. */
export interface LaneTools {
  readonly backlog: Readonly<Record<LookedQueue, () => Promise<Held>>>;
  /** How many messages the workers of a queue take off it in a second, at the least. */
  readonly leastPerSecond: (queue: LookedQueue) => number;
}

export interface LookTools {
  readonly lane: (queue: LookedQueue) => Promise<LaneLoad>;
}

// What waits for its time is delayed there as a matter of course: a retry, the next step of a recovery.
const delaying: ReadonlySet<LookedQueue> = new Set(['retry', 'fanOut']);

/** Looks into each queue once, when it is first asked for: a run of the sweeper is short. */
export function lanesOnce({ backlog, leastPerSecond }: LaneTools): LookTools['lane'] {
  const lanes = new Map<LookedQueue, Promise<LaneLoad>>();
  const look = async (queue: LookedQueue): Promise<LaneLoad> => {
    const { waiting, delayed } = await backlog[queue]();
    return { waiting, delayed: delaying.has(queue) ? 0 : delayed, perSecond: leastPerSecond(queue) };
  };
  return (queue) => {
    const lane = lanes.get(queue) ?? look(queue);
    lanes.set(queue, lane);
    return lane;
  };
}

// An audit sends again all that it finds open, so that it waits for what lanes hold; one row may come twice.
const auditQuickMs = 5000;

/** Decides on a due row by what the queues hold that its task may wait in. */
export async function lookAt(row: DueRow, { lane }: LookTools): Promise<Look> {
  const { protocol, isConfirmation, taskKey } = row;
  if (taskKey === recoveryKey) {
    return decideLook({ ...row, lanes: [await lane('fanOut')], everyMs: graceMs, quickMs: graceMs });
  }
  if (protocol === undefined) {
    const lanes = [await lane('fanOut')];
    return decideAudit({ ...row, lanes, lanesOf: await firstLanes(lane), everyMs: auditMs, quickMs: auditQuickMs });
  }
  const own = laneOf(protocol, isConfirmation ? 'confirmations' : 'later');
  const lanes = await Promise.all([lane('retry'), lane(own)]);
  return decideLook({ ...row, lanes, everyMs: graceMs, quickMs: graceMs });
}

async function firstLanes(lane: LookTools['lane']): Promise<Record<Protocol, LaneLoad[]>> {
  const reading = protocols.map(async (protocol) => {
    const queues = new Set([laneOf(protocol, 'first'), laneOf(protocol, 'mass')]);
    return [protocol, await Promise.all([...queues].map(lane))] as const;
  });
  return Object.fromEntries(await Promise.all(reading)) as Record<Protocol, LaneLoad[]>;
}
