import { accountKinds } from '../../alarm-kinds/account-kinds.ts';
import type { AlarmKind } from '../../alarm-kinds/alarm-kind.ts';
import { deliveryKinds } from '../../alarm-kinds/delivery-kinds.ts';
import { requestKinds } from '../../alarm-kinds/request-kinds.ts';

/** Every kind of alarm, in the order in which one asks at night; some are raised for each function, queue or table. */
export const alarmKinds = { ...requestKinds, ...deliveryKinds, ...accountKinds } as const satisfies Record<
  string,
  AlarmKind
>;

export type AlarmKindName = keyof typeof alarmKinds;

/** The whole text of an alarm. @param says what this one is about, where a kind has several */
export function alarmText(name: AlarmKindName, says?: string): string {
  const { severity, title, rings, hurts, look }: AlarmKind = alarmKinds[name];
  const when = severity === 'now' ? 'Now.' : 'Next working day.';
  const looking = look.map((one, index) => `${index + 1}. ${one}`).join('; ');
  return [says, when, hurts, `Rings because ${rings}.`, `Look at: ${looking}.`, `infra/RUNBOOK.md: ${title}.`]
    .filter(Boolean)
    .join(' ');
}
