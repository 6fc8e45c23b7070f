import { mistakenNotifications } from './mistaken-notifications.ts';
import { mistakenPersons } from './mistaken-persons.ts';

/** A wrong request and the error message that explains it. `{uin}` and `{topic}` are replaced with existing ones. */
export type Mistake = readonly [
  what: string,
  request: string,
  body: string | Uint8Array,
  status: number,
  message: string,
];

/** Typical mistakes of callers with their complete error messages. */
export const mistakes: readonly Mistake[] = [...mistakenPersons, ...mistakenNotifications];
