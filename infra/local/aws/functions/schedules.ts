import type { StackListener } from '../../console/events.ts';
import type { Stack } from '../template/stack.ts';
import type { Runtime } from './runtime.ts';

interface ScheduleTarget {
  Arn: string;
  Input?: string;
}

interface ScheduleProperties {
  ScheduleExpression?: string;
  State?: string;
  Targets?: ScheduleTarget[];
  Target?: ScheduleTarget;
}

const unitMilliseconds: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * Returns the period of a rate expression such as `rate(5 minutes)` in milliseconds; undefined for other expressions.
 */
function ratePeriod(expression: string | undefined): number | undefined {
  const [, count, unit] = expression?.match(/^rate\((\d+) (minute|hour|day)s?\)$/) ?? [];
  return count && unit ? Number(count) * (unitMilliseconds[unit] ?? 0) : undefined;
}

function scheduledEvent(arn: string) {
  return {
    version: '0',
    source: 'aws.events',
    'detail-type': 'Scheduled Event',
    time: new Date().toISOString(),
    resources: [arn],
    detail: {},
  };
}

/** Invokes scheduled functions at the rates in the template. Returns a function that stops the schedules. */
export function startSchedules(stack: Stack, runtime: Runtime, onEvent: StackListener): () => void {
  const timers: NodeJS.Timeout[] = [];
  for (const resource of stack.ofType('AWS::Events::Rule', 'AWS::Scheduler::Schedule')) {
    const schedule = stack.properties<ScheduleProperties>(resource);
    if (schedule.State === 'DISABLED') continue;
    const period = ratePeriod(schedule.ScheduleExpression);
    if (period === undefined) {
      const line = `${schedule.ScheduleExpression ?? 'an event pattern'} does not run locally`;
      onEvent({ kind: 'log', functionName: resource.constructId, line });
      continue;
    }
    for (const { Arn, Input } of schedule.Targets ?? (schedule.Target ? [schedule.Target] : [])) {
      const target = runtime.find(Arn);
      if (!target) continue;
      const call = () => void target.invoke(Input ? JSON.parse(Input) : scheduledEvent(stack.arnOf(resource)));
      // The maximum interval of a Node.js timer is about 24 days.
      timers.push(setInterval(call, Math.min(period, 2 ** 31 - 1)));
    }
  }
  return () => timers.forEach(clearInterval);
}
