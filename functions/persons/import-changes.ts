import { setTimeout as sleep } from 'node:timers/promises';
import { secretMinutes } from '../../shared/contract/secret-names.ts';
import { importChanges } from '../../shared/contract/workers/registry-workers.ts';
import { objectsIn } from '../../shared/domain/bucket-event.ts';
import type { LineOfImport } from '../../shared/domain/imports/decide-change.ts';
import type { ImportState } from '../../shared/domain/imports/import-state.ts';
import { type HashUin, uinHasher } from '../../shared/domain/persons/uin-hasher.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { logInfo, logWarning } from '../../shared/lambda/logger.ts';
import { beginImport, runImport } from '../../shared/registry/import/run-import.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { documentLinks } from '../../shared/storage/documents/document-links.ts';
import { renditions } from '../../shared/storage/documents/renditions.ts';
import { documents } from '../../shared/storage/documents/store.ts';
import { importFiles } from '../../shared/storage/imports/import-files.ts';
import { imports } from '../../shared/storage/imports/store.ts';
import { personChanges } from '../../shared/storage/persons/person-changes.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';
import { topics } from '../../shared/storage/topics/store.ts';

const stores = [
  imports,
  importFiles,
  personChanges,
  documents,
  documentLinks,
  renditions,
  topics,
  deliveries,
  queues,
  namingSecret,
] as const;

const hasher = cacheFor<HashUin>(secretMinutes);

const onIdle = (idleMs: number) => addMetric('ImportIdle', Math.round(idleMs / 1000));
const onDocumentsLeft = (count: number, by: LineOfImport) => logWarning('documents left', { ...by, count });
const onPublished = () => addMetric('EventsAccepted');
// The log omits the file name, because it may contain a person's name.
const onEnded = ({ importId, counts, unreadable }: ImportState) => {
  const { applied, ...others } = counts;
  logInfo('import ended', { importId, ...applied, ...others, isReadable: unreadable === undefined });
};
const callbacks = { onIdle, onDocumentsLeft, onPublished, onEnded };

export const handler = consume(importChanges, stores, async (payloads, tools) => {
  const hashUin = await hasher(async () => uinHasher(await tools.naming.text()), tools.now());
  const importing = { ...tools, hashUin, sleep, ...callbacks };
  return Promise.allSettled(
    payloads.map(async (payload) => {
      if ('sha256' in payload) return runImport(payload, importing);
      // Parallel processing is unnecessary, because an S3 notification contains only one object.
      for (const object of objectsIn(payload)) await beginImport(object, importing);
    }),
  );
});
