import { reindexStep } from '../../domain/persons/index-state.ts';
import { defineWorker } from '../worker.ts';

export const fillIndexes = defineWorker({
  worker: 'fillIndexes',
  file: 'persons/fill-indexes',
  payload: reindexStep,
  batchSize: 1,
  lanes: [
    {
      lane: 'fillIndexes',
      queue: 'reindexing',
      // Only one instance can make progress, because the writes of a second instance are rejected. SQS requires a
      // maximum concurrency of at least two.
      maxConcurrency: 2,
      impact: 'New search indexes are neither filled nor used. Searches use the existing indexes.',
    },
  ],
  uses: ['indexing:fill', 'indexing:change', 'queues:reindexing'],
  reads: ['reindexWritesPerSecond'],
});
