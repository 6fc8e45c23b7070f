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
      memoryMegabytes: 512,
      maxConcurrency: 5,
      impact:
        'New documents of two people are found from the other side only with secondaryUin; what was made of deleted ones stays, and what was put for people who were merged or removed.',
    },
  ],
  uses: [
    'documents:look',
    'documents:change',
    'documentLinks:keep',
    'renditions:remove',
    'personChanges:follow',
    'queues:documentEvents',
  ],
  reads: [],
});
