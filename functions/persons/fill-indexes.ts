import { setTimeout as sleep } from 'node:timers/promises';
import { personIndexes } from '../../shared/contract/tables.ts';
import { fillIndexes } from '../../shared/contract/workers/registry-workers.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logInfo, logWarning } from '../../shared/lambda/logger.ts';
import { runReindexing as fill } from '../../shared/registry/search/run-reindexing.ts';
import { indexing } from '../../shared/storage/persons/indexing.ts';
import { queues } from '../../shared/storage/queues/store.ts';

const onComplete = (complete: readonly string[], run: { id: string; passes: number; persons: number }) =>
  logInfo('indexes complete', { indexes: complete.join(' '), ...run });
const onUnbuilt = (run: string) => logWarning('index not built', { run });

export const handler = consume(fillIndexes, [indexing, queues], (steps, tools) =>
  Promise.allSettled(
    steps.map(({ run }) => fill(run, { ...tools, indexes: personIndexes, sleep, onComplete: onComplete, onUnbuilt })),
  ),
);
