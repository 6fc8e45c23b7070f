import { unsuppress } from '../../shared/contract/jobs.ts';
import { normaliseAddress } from '../../shared/domain/subscriptions/subscription-address.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { suppressions } from '../../shared/storage/mail/suppressions.ts';

/** Lets SES send to an address again after a bounce or complaint. The subscriptions of this address stay paused. */
export const handler = perform(unsuppress, [suppressions], async ({ address }, { suppressions }) => {
  const isTakenOff = await suppressions.remove(normaliseAddress('email', address));
  return { unsuppressed: Number(isTakenOff) };
});
