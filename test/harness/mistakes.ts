import { mistakenNotifications } from './mistaken-notifications.ts';
import { mistakenPersons } from './mistaken-persons.ts';

/**
 * An invalid request and the error message that explains the mistake. `{uin}` stands for the UIN of an existing person,
 * and `{topic}` for the name of an existing topic.
 */
export type Mistake = readonly [
  what: string,
  request: string,
  body: string | Uint8Array,
  status: number,
  message: string,
];

/** Typical caller mistakes with their complete error messages. */
export const mistakes: readonly Mistake[] = [...mistakenPersons, ...mistakenNotifications];
