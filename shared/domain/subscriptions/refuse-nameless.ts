import { Refusal } from '../../model/refusals.ts';
import type { Viewer } from './client-view.ts';

/** @throws Refusal for a client without a name where subscriptions are their clients' own: it would not see what it asks for */
export function refuseNameless({ client, seesAll }: Viewer): void {
  if (seesAll || client !== '') return;
  const why = 'a subscription belongs to a client, and this access token names none; ask your issuer for one that does';
  throw new Refusal('invalidParameter', `authorization must tell who subscribes: ${why}`);
}
