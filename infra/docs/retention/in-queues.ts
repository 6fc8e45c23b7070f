import { type DeliveryQueue, deliveryQueues, queueDays } from '../../../shared/contract/queues.ts';
import type { Kept } from '../../retention/kept.ts';

export const inQueues: readonly Kept[] = [
  {
    what: 'events on their way, with their bodies, and deliveries',
    at: { queues: Object.keys(deliveryQueues) as DeliveryQueue[] },
    of: 'whom events are about',
    days: queueDays,
    ends: 'done, or so long after it was sent, dead letters included',
  },
  { what: 'topics that were deleted', at: { queues: ['cleanUp'] }, of: 'nobody', days: queueDays, ends: 'the same' },
  {
    what: 'names of documents, with UINs',
    at: { queues: ['documentEvents'] },
    of: 'a person',
    days: queueDays,
    ends: 'the same',
  },
  { what: 'names of files of changes', at: { queues: ['imports'] }, of: 'nobody', days: queueDays, ends: 'the same' },
  {
    what: 'that search indexes are being filled',
    at: { queues: ['reindexing'] },
    of: 'nobody',
    days: queueDays,
    ends: 'the same',
  },
  {
    what: 'bounces and complaints, with addresses',
    at: { queues: ['mailFeedback'] },
    of: 'a subscriber',
    days: queueDays,
    ends: 'the same',
  },
];
