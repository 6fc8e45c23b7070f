import type { ImportStep } from '../../domain/imports/import-payload.ts';
import type { ImportState } from '../../domain/imports/import-state.ts';
import type { LineOfImport } from '../../domain/imports/last-change.ts';
import type { FanOutPayload } from '../../model/deliveries/fan-out-payload.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import type { documentLinks } from '../../storage/documents/document-links.ts';
import type { renditions } from '../../storage/documents/renditions.ts';
import type { documents } from '../../storage/documents/store.ts';
import type { importFiles } from '../../storage/imports/import-files.ts';
import type { imports } from '../../storage/imports/store.ts';
import type { personChanges } from '../../storage/persons/person-changes.ts';
import type { Queue } from '../../storage/queues/store.ts';
import type { topics } from '../../storage/topics/topics.ts';

/** What an import is run with: the stores' methods, the queues, a clock. */
export interface ImportTools {
  readonly imports: ReturnType<typeof imports.permissions.run>;
  readonly importFiles: ReturnType<typeof importFiles.permissions.run>;
  readonly persons: ReturnType<typeof personChanges.permissions.write>;
  readonly documents: ReturnType<typeof documents.permissions.change>;
  readonly documentLinks: ReturnType<typeof documentLinks.permissions.read> &
    ReturnType<typeof documentLinks.permissions.link>;
  readonly renditions: ReturnType<typeof renditions.permissions.remove>;
  readonly topics: ReturnType<typeof topics.permissions.read>;
  readonly ledger: Pick<ReturnType<typeof ledger.permissions.open>, 'open'>;
  readonly queues: {
    readonly imports: Pick<Queue<ImportStep>, 'send' | 'sendMany'>;
    readonly fanOut: Pick<Queue<FanOutPayload>, 'send'>;
  };
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly settings: {
    readonly uinLength: number;
    readonly uinFormat: RegExp;
    readonly extraAttributes: readonly string[];
    readonly importWritesPerSecond: number;
    readonly importDays: number;
    readonly journalDays: number;
    readonly changesTopic: string;
    readonly ledgerDays: number;
  };
  /** Hears how long the import that has its turn has not come further (milliseconds). */
  readonly onLooked: (idleMs: number) => void;
  /** Hears of a merge that S3 could not move a document for: archived, or put while it was applied. */
  readonly onUnmovable: (by: LineOfImport) => void;
  /** Hears of a removal that has left documents of people whom nobody knows, and how many. */
  readonly onDocumentsLeft: (count: number, by: LineOfImport) => void;
  readonly onEnded: (state: ImportState) => void;
  /** Hears of an event that was published. */
  readonly onPublished: () => void;
}
