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
      memoryMegabytes: 512,
      // One works: a second one finds that it is outrun.
      maxConcurrency: 2,
      impact: 'New search indexes are not filled, and not searched until they are; searches go on by the others.',
    },
  ],
  uses: ['indexing:fill', 'indexing:change', 'queues:reindexing'],
  reads: ['reindexWritesPerSecond'],
});
