import type { importChanges } from '../../contract/workers/registry-workers.ts';
import type { Tools } from '../../delivery/tools.ts';
import type { LineOfImport } from '../../domain/imports/decide-change.ts';
import type { ImportState } from '../../domain/imports/import-state.ts';
import type { HashUin } from '../../domain/persons/uin-hasher.ts';

type WorkerTools = Tools<(typeof importChanges)['uses'][number], (typeof importChanges)['reads'][number]>;

export interface ImportTools extends WorkerTools {
  readonly hashUin: HashUin;
  readonly randomDigit: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Reports the time in milliseconds since the running import last made progress. */
  readonly onIdle: (idleMs: number) => void;
  /** Called if documents of a removed person remain because they are stored under an unknown UIN. */
  readonly onDocumentsLeft: (count: number, by: LineOfImport) => void;
  readonly onEnded: (state: ImportState) => void;
  readonly onPublished: () => void;
}
