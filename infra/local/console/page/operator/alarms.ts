import { type CloudWatchClient, type MetricAlarm, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { readAlarmText } from '../../../../constructs/alarm-kinds/alarm-kinds.ts';
import type { ShownAlarm } from '../state.ts';

function shown({ AlarmName = '', AlarmDescription = '', ...alarm }: MetricAlarm): ShownAlarm {
  const { kind, subject } = readAlarmText(AlarmDescription);
  const { title, impact } = kind ?? { title: AlarmName, impact: '' };
  const since = alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp ?? new Date(0);
  return {
    ...{ name: AlarmName, title, since: since.toISOString() },
    about: subject === '' ? impact : subject,
    state: alarm.StateValue ?? 'INSUFFICIENT_DATA',
  };
}

const order: readonly ShownAlarm['state'][] = ['ALARM', 'INSUFFICIENT_DATA', 'OK'];

/**
 * Reads all alarms whose names begin with a prefix. Alarms in state ALARM come first, and alarms in state OK last.
 * Within a state, the latest change comes first.
 */
export async function readAlarms(client: CloudWatchClient, AlarmNamePrefix: string): Promise<ShownAlarm[]> {
  const pages = await Array.fromAsync(paginateDescribeAlarms({ client }, { AlarmNamePrefix }));
  return pages
    .flatMap(({ MetricAlarms = [] }) => MetricAlarms.map(shown))
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || b.since.localeCompare(a.since));
}
