import * as z from 'zod/mini';
import { bucketEvent } from '../../domain/bucket-event.ts';
import { indexingStep } from '../../domain/documents/indexing-step.ts';
import { defineWorker } from '../worker.ts';

export const linkDocuments = defineWorker({
  worker: 'linkDocuments',
  file: 'documents/link-documents',
  payload: z.union([bucketEvent, indexingStep]),
  batchSize: 10,
  lanes: [
    {
      lane: 'linkDocuments',
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
