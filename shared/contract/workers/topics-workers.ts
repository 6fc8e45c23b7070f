import { cleanUpPayload } from '../../domain/topics/topic.ts';
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
      maxConcurrency: 5,
      impact: 'Subscriptions to deleted topics remain listed, but receive no events.',
    },
  ],
  uses: ['topics:read', 'subscriptions:removeByTopic', 'queues:cleanUp'],
  reads: [],
});
