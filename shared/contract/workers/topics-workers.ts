import { cleanUpPayload } from '../../model/topics/clean-up-payload.ts';
import { defineWorker } from '../worker.ts';

export const removeSubscriptions = defineWorker({
  worker: 'removeSubscriptions',
  file: 'topics/remove-subscriptions',
  payload: cleanUpPayload,
  batchSize: 1,
  lanes: [
    {
      lane: 'removeSubscriptions',
      queue: 'cleanUp',
      memoryMegabytes: 512,
      maxConcurrency: 5,
      impact: 'Subscriptions of deleted topics stay listed; nothing is delivered to them.',
    },
  ],
  uses: ['topics:read', 'subscriptions:cleanUp', 'queues:cleanUp'],
  reads: [],
});
