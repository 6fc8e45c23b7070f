import { faultLogged } from '../contract/log-lines.ts';
import { Fault, type FaultIds } from '../model/faults.ts';
import { logFault } from './logger.ts';

interface Writes {
  readonly queue: Promise<unknown>;
  readonly ledger: Promise<unknown>;
}

/**
 * Waits for the two writes of a message, either of which makes it durable: what the queue loses the sweeper finds in the
 * ledger, and a worker writes to the ledger what is missing there. One that fails is logged as a fault of ours.
 * @throws Fault `keptNowhere` when both fail
 */
export async function keepEither(
  { queue, ledger }: Writes,
  ids: FaultIds<'keptNowhere'>,
  operation: string,
): Promise<void> {
  const [sent, opened] = await Promise.allSettled([queue, ledger]);
  if (sent.status === 'rejected' && opened.status === 'rejected') {
    throw new Fault('keptNowhere', ids, new AggregateError([sent.reason, opened.reason]));
  }
  if (sent.status === 'rejected') logFault(faultLogged, new Fault('queueMissed', ids, sent.reason), { operation });
  if (opened.status === 'rejected') logFault(faultLogged, new Fault('ledgerMissed', ids, opened.reason), { operation });
}
