import { internalErrorLogged } from '../contract/log-lines.ts';
import { InternalError, type InternalErrorIds } from '../domain/internal-errors.ts';
import { logError } from './logger.ts';

/**
 * Waits for the two writes of a message, to the queue and to the deliveries table. One successful write is enough: the
 * sweeper finds a message that was not queued, and a worker creates a row that is missing. A failed write is logged as
 * an internal error.
 * @throws InternalError `keptNowhere` if both writes fail
 */
export async function writeEither(
  { queue, deliveries }: Readonly<Record<'queue' | 'deliveries', Promise<unknown>>>,
  ids: InternalErrorIds<'keptNowhere'>,
  operation: string,
): Promise<void> {
  const [sent, opened] = await Promise.allSettled([queue, deliveries]);
  if (sent.status === 'rejected' && opened.status === 'rejected') {
    throw new InternalError('keptNowhere', ids, new AggregateError([sent.reason, opened.reason]));
  }
  if (sent.status === 'rejected')
    logError(internalErrorLogged, new InternalError('queueMissed', ids, sent.reason), { operation });
  if (opened.status === 'rejected')
    logError(internalErrorLogged, new InternalError('deliveryNotStored', ids, opened.reason), { operation });
}
