import * as z from 'zod/mini';
import { bucketEvent } from '../../domain/bucket-event.ts';
import { indexingStep } from '../../domain/documents/indexing-step.ts';
import { importPayload } from '../../domain/imports/import-payload.ts';
import { reindexStep } from '../../domain/persons/index-state.ts';
import { cleanUpPayload } from '../../domain/topics/topic.ts';
import { defineWorker, oneCoreMegabytes } from '../background-functions.ts';

export const removeSubscriptions = defineWorker('topics', {
  worker: 'removeSubscriptions',
  payload: cleanUpPayload,
  batchSize: 1,
  lanes: [
    {
      queue: 'cleanUp',
      maxConcurrency: 5,
      impact: 'Subscriptions to deleted topics remain listed, but receive no events.',
    },
  ],
  uses: ['topics:read', 'subscriptions:removeByTopic', 'queues:cleanUp'],
  reads: [],
});

export const linkDocuments = defineWorker('documents', {
  worker: 'linkDocuments',
  payload: z.union([bucketEvent, indexingStep]),
  batchSize: 10,
  lanes: [
    {
      queue: 'documentEvents',
      maxConcurrency: 5,
      impact:
        'For new documents about two people, requests for the second person must contain secondaryUin. ' +
        'Converted copies of deleted documents, and documents added after a person was deleted, remain stored.',
    },
  ],
  uses: [
    'documents:inspect',
    'documents:change',
    'documentLinks:change',
    'renditions:remove',
    'personChanges:resolve',
    'naming:read',
    'queues:documentEvents',
  ],
  reads: [],
});

export const importChanges = defineWorker('persons', {
  worker: 'importChanges',
  payload: importPayload,
  batchSize: 1,
  lanes: [
    {
      queue: 'imports',
      // The default rate of 500 writes per second needs most of a core.
      memoryMegabytes: oneCoreMegabytes,
      // One instance runs the import. A second instance checks whether the next import can start.
      maxConcurrency: 2,
      impact: 'Import files are not applied. Interrupted imports will continue where they stopped.',
    },
  ],
  uses: [
    'imports:run',
    'importFiles:run',
    'personChanges:write',
    'documents:change',
    'documentLinks:read',
    'renditions:remove',
    'topics:read',
    'deliveries:publish',
    'queues:imports',
    'queues:fanOut',
    'naming:read',
  ],
  reads: [
    'uinLength',
    'uinFormat',
    'extraAttributes',
    'importWritesPerSecond',
    'importDays',
    'changesTopic',
    'deliveryDays',
  ],
});

export const fillIndexes = defineWorker('persons', {
  worker: 'fillIndexes',
  payload: reindexStep,
  batchSize: 1,
  lanes: [
    {
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
