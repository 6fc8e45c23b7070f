import { setTimeout as sleep } from 'node:timers/promises';
import { faultLogged, importEnded } from '../../shared/contract/log-lines.ts';
import { importChanges } from '../../shared/contract/workers/persons-workers.ts';
import { objectsIn } from '../../shared/domain/bucket-event.ts';
import type { ImportState } from '../../shared/domain/imports/import-state.ts';
import type { LineOfImport } from '../../shared/domain/imports/last-change.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { logFault, logInfo, logWarning } from '../../shared/lambda/logger.ts';
import { Fault } from '../../shared/model/faults.ts';
import { beginImport, runImport } from '../../shared/registry/import/run-import.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { documentLinks } from '../../shared/storage/documents/document-links.ts';
import { renditions } from '../../shared/storage/documents/renditions.ts';
import { documents } from '../../shared/storage/documents/store.ts';
import { importFiles } from '../../shared/storage/imports/import-files.ts';
import { imports } from '../../shared/storage/imports/store.ts';
import { personChanges } from '../../shared/storage/persons/person-changes.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { topics } from '../../shared/storage/topics/topics.ts';

const stores = [
  imports,
  importFiles,
  personChanges,
  documents,
  documentLinks,
  renditions,
  topics,
  ledger,
  queues,
] as const;

const onLooked = (idleMs: number) => addMetric('ImportIdle', Math.round(idleMs / 1000));
const onUnmovable = (by: LineOfImport) => logFault(faultLogged, new Fault('documentUnmovable', {}), { ...by });
const onDocumentsLeft = (count: number, by: LineOfImport) => logWarning('documents left', { ...by, count });
const onPublished = () => addMetric('EventsAccepted');
// A file may be called after a person.
const onEnded = ({ importId, counts, unreadable }: ImportState) => {
  const { applied, ...others } = counts;
  logInfo(importEnded, { importId, ...applied, ...others, isReadable: unreadable === undefined });
};
const hearers = { onLooked, onUnmovable, onDocumentsLeft, onPublished, onEnded };

export const handler = consume(importChanges, stores, (payloads, tools) => {
  const importing = { ...tools, persons: tools.personChanges, sleep, ...hearers };
  return Promise.allSettled(
    payloads.map(async (payload) => {
      if ('sha256' in payload) return runImport(payload, importing);
      // S3 tells of one at a time.
      for (const object of objectsIn(payload)) await beginImport(object, importing);
    }),
  );
});
