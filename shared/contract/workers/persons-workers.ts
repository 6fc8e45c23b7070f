import { importPayload } from '../../domain/imports/import-payload.ts';
import { oneCoreMegabytes } from '../one-core.ts';
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
      // 500 writes a second by default are most of a core.
      memoryMegabytes: oneCoreMegabytes,
      // One works, the others look whether it is their turn.
      maxConcurrency: 2,
      impact: 'Files of changes are not applied; they go on where they were.',
    },
  ],
  uses: [
    'imports:run',
    'importFiles:run',
    'personChanges:write',
    'documents:change',
    'documentLinks:read',
    'documentLinks:link',
    'renditions:remove',
    'topics:read',
    'ledger:open',
    'queues:imports',
    'queues:fanOut',
  ],
  reads: [
    'uinLength',
    'uinFormat',
    'extraAttributes',
    'importWritesPerSecond',
    'importDays',
    'journalDays',
    'changesTopic',
    'ledgerDays',
  ],
});
