import { accountKinds } from './account-kinds.ts';
import type { AlarmKind } from './alarm-kind.ts';
import { deliveryKinds } from './delivery-kinds.ts';
import { requestKinds } from './request-kinds.ts';

/**
 * Every kind of alarm, in the same order as in the runbook. Some kinds have one alarm for each function, queue or
 * table.
 */
export const alarmKinds = { ...requestKinds, ...deliveryKinds, ...accountKinds } as const satisfies Record<
  string,
  AlarmKind
>;

export type AlarmKindName = keyof typeof alarmKinds;

export const runbookLink = ({ title }: Pick<AlarmKind, 'title'>): string =>
  `infra/runbook/alarms.md#${title.toLowerCase().replaceAll(' ', '-')}`;

/** Reads the kind and the subject of an alarm from its description. */
export function readAlarmText(text: string): { readonly kind: AlarmKind | undefined; readonly subject: string } {
  const kind = Object.values<AlarmKind>(alarmKinds).find((one) => text.endsWith(` ${runbookLink(one)}`));
  const [subject = ''] = text.split(/(?:Now|Next working day)\. Impact: /);
  return { kind, subject: subject.trim() };
}

/**
 * Returns the description of an alarm. @param subject a sentence about this alarm, if there are several alarms of its
 * kind
 */
export function alarmText(name: AlarmKindName, subject?: string): string {
  const kind: AlarmKind = alarmKinds[name];
  const { severity, condition, impact, check } = kind;
  const urgency = severity === 'now' ? 'Now.' : 'Next working day.';
  const steps = check.map((one, index) => `${index + 1}. ${one}`).join('; ');
  return [subject, urgency, `Impact: ${impact}`, condition, `Steps: ${steps}.`, `Runbook: ${runbookLink(kind)}`]
    .filter(Boolean)
    .join(' ');
}
