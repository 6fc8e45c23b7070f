import { faultLogged } from '../contract/log-lines.ts';
import { Fault } from '../model/faults.ts';
import { logFault } from './logger.ts';

/** Logs a mail that SES did not take; what was its recipient's doing is no fault of ours, and rings no alarm. */
export const onMailFault = (
  error: unknown,
  ids: { readonly messageId: string; readonly subscription: string },
  isOurs: boolean,
): void => logFault(isOurs ? faultLogged : 'SES refused a mail', error, ids);

/** Logs that the mails which SES allows in 24 hours are spent, as this worker found. */
export const onQuotaSpent = (worker: string): void =>
  logFault(faultLogged, new Fault('mailQuotaSpent', { worker }), { worker });
