import { mistakenNotifications } from './mistaken-notifications.ts';
import { mistakenPersons } from './mistaken-persons.ts';

/** What a caller does wrong: the request, and the message that helps. `{uin}` and `{topic}` are ones that there are. */
export type Mistake = readonly [
  what: string,
  request: string,
  body: string | Uint8Array,
  status: number,
  message: string,
];

/** Typical mistakes of callers, and the whole message of each. */
export const mistakes: readonly Mistake[] = [...mistakenPersons, ...mistakenNotifications];
