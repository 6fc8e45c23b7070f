import type { SettingValues } from '../../contract/settings.ts';
import type { importChanges } from '../../contract/workers/registry-workers.ts';
import type { FanOutPayload } from '../../domain/deliveries/message.ts';
import type { LineOfImport } from '../../domain/imports/decide-change.ts';
import type { ImportStep } from '../../domain/imports/import-payload.ts';
import type { ImportState } from '../../domain/imports/import-state.ts';
import type { HashUin } from '../../domain/persons/uin-hasher.ts';
import type { deliveries } from '../../storage/deliveries/store.ts';
import type { documentLinks } from '../../storage/documents/document-links.ts';
import type { renditions } from '../../storage/documents/renditions.ts';
import type { documents } from '../../storage/documents/store.ts';
import type { importFiles } from '../../storage/imports/import-files.ts';
import type { imports } from '../../storage/imports/store.ts';
import type { personChanges } from '../../storage/persons/person-changes.ts';
import type { Queue } from '../../storage/queues/store.ts';
import type { topics } from '../../storage/topics/store.ts';

export interface ImportTools {
  readonly imports: ReturnType<typeof imports.permissions.run>;
  readonly importFiles: ReturnType<typeof importFiles.permissions.run>;
  readonly persons: ReturnType<typeof personChanges.permissions.write>;
  readonly documents: ReturnType<typeof documents.permissions.change>;
  readonly documentLinks: ReturnType<typeof documentLinks.permissions.read>;
  readonly renditions: ReturnType<typeof renditions.permissions.remove>;
  readonly topics: ReturnType<typeof topics.permissions.read>;
  readonly deliveries: Pick<ReturnType<typeof deliveries.permissions.publish>, 'createMessage' | 'getMessage'>;
  readonly queues: {
    readonly imports: Pick<Queue<ImportStep>, 'send'>;
    readonly fanOut: Pick<Queue<FanOutPayload>, 'send'>;
  };
  readonly hashUin: HashUin;
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly settings: SettingValues<(typeof importChanges)['reads'][number]>;
  /** Reports the time in milliseconds since the running import last made progress. */
  readonly onIdle: (idleMs: number) => void;
  /** Called if documents of a removed person remain because they are stored under an unknown UIN. */
  readonly onDocumentsLeft: (count: number, by: LineOfImport) => void;
  readonly onEnded: (state: ImportState) => void;
  readonly onPublished: () => void;
}
