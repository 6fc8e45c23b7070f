import type { IndexState } from '../domain/persons/index-state.ts';
import type { PersonIndexes } from '../domain/persons/person-index.ts';
import type { indexing } from '../storage/persons/indexing.ts';
import type { Queue } from '../storage/queues/store.ts';

/** What the state of the indexes is changed with. */
export interface IndexTools {
  readonly indexing: ReturnType<typeof indexing.permissions.change>;
  readonly queues: { readonly reindexing: Pick<Queue<{ run: string }>, 'send'> };
  readonly now: () => number;
  readonly newId: () => string;
  /** Those of this release. */
  readonly indexes: PersonIndexes;
}

/** The same for whoever fills them. */
export interface FillTools extends IndexTools {
  readonly indexing: IndexTools['indexing'] & ReturnType<typeof indexing.permissions.fill>;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly settings: { readonly reindexWritesPerSecond: number };
  /** Hears of the end of a run; `persons` counts those of its last pass. */
  readonly onWhole: (whole: IndexState['whole'], run: { id: string; passes: number; persons: number }) => void;
  /** Hears that a run waits for DynamoDB to build an index. */
  readonly onUnbuilt: (run: string) => void;
}
