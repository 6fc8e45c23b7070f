import { type DeliveryQueue, deliveryQueues, queueDays } from '../../../shared/contract/queue-names.ts';
import type { StoredData } from './stored-data.ts';

export const queueData: readonly StoredData[] = [
  {
    what: 'events in transit, with their bodies, and deliveries',
    at: { queues: Object.keys(deliveryQueues) as DeliveryQueue[] },
    about: 'the persons in events',
    days: queueDays,
    ends: 'processed, or this long after sending, dead letters included',
  },
  { what: 'deleted topics', at: { queues: ['cleanUp'] }, about: 'nobody', days: queueDays, ends: 'the same' },
  {
    what: 'names of documents, with UINs',
    at: { queues: ['documentEvents'] },
    about: 'a person',
    days: queueDays,
    ends: 'the same',
  },
  {
    what: 'names of files of changes',
    at: { queues: ['imports'] },
    about: 'nobody',
    days: queueDays,
    ends: 'the same',
  },
  {
    what: 'the progress of search indexes',
    at: { queues: ['reindexing'] },
    about: 'nobody',
    days: queueDays,
    ends: 'the same',
  },
  {
    what: 'bounces and complaints, with addresses',
    at: { queues: ['mailFeedback'] },
    about: 'a subscriber',
    days: queueDays,
    ends: 'the same',
  },
];
