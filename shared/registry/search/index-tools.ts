import type { IndexState } from '../../domain/persons/index-state.ts';
import type { PersonIndexes } from '../../domain/persons/person-index.ts';
import type { indexing } from '../../storage/persons/indexing.ts';
import type { Queue } from '../../storage/queues/store.ts';

// For a missing or incomplete index, DynamoDB returns `ValidationException`; emulators return
// `ResourceNotFoundException`.
const unbuilt = new Set(['ValidationException', 'ResourceNotFoundException']);

/** Returns whether a query failed because the index is missing or not built yet. */
export const isUnbuilt = (error: unknown): boolean => error instanceof Error && unbuilt.has(error.name);

export interface IndexTools {
  readonly indexing: ReturnType<typeof indexing.permissions.change>;
  readonly queues: { readonly reindexing: Pick<Queue<{ run: string }>, 'send'> };
  readonly now: () => number;
  readonly newId: () => string;
  readonly indexes: PersonIndexes;
}

export interface ReindexTools extends IndexTools {
  readonly indexing: IndexTools['indexing'] & ReturnType<typeof indexing.permissions.fill>;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly settings: { readonly reindexWritesPerSecond: number };
  /** Called at the end of a run. `persons` is the number of persons that the last pass read. */
  readonly onComplete: (complete: IndexState['complete'], run: { id: string; passes: number; persons: number }) => void;
  readonly onUnbuilt: (run: string) => void;
}
