import { importPayload } from '../../domain/imports/import-payload.ts';
import { oneCoreMegabytes } from '../job.ts';
import { defineWorker } from '../worker.ts';

export const importChanges = defineWorker({
  worker: 'importChanges',
  file: 'persons/import-changes',
  payload: importPayload,
  batchSize: 1,
  lanes: [
    {
      lane: 'importChanges',
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
