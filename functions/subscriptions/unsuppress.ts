import { unsuppress } from '../../shared/contract/jobs.ts';
import { normaliseAddress } from '../../shared/domain/subscriptions/subscription-address.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { suppressions } from '../../shared/storage/mail/suppressions.ts';

/** Lets SES send again to an address that bounced or complained. Its subscriptions stay paused. */
export const handler = perform(unsuppress, [suppressions], async ({ address }, { suppressions }) => {
  const isTakenOff = await suppressions.remove(normaliseAddress('email', address));
  return { unsuppressed: Number(isTakenOff) };
});
