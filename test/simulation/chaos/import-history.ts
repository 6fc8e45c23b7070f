import { publicationKey } from '../../../shared/domain/deliveries/task-key.ts';
import { topicUuid } from '../../../shared/domain/topics/topic-uuid.ts';
import type { Item } from '../../../shared/storage/dynamo.ts';
import type { Key } from '../dynamodb/memory-table.ts';
import { copyAtWork } from '../lambda/platform.ts';
import type { PlannedFile } from './plan-imports.ts';
import { settings } from './world.ts';

const topicOfChanges = topicUuid(settings.changesTopic);

/** A file as it was put, and the version that S3 told of. */
export interface PutFile {
  readonly file: PlannedFile;
  readonly text: string;
  readonly versionId: string | undefined;
}

type Attributes = Readonly<Record<string, unknown>>;

interface Row {
  readonly uin?: string;
  readonly attributes?: Attributes;
  readonly runId?: string;
  readonly importId?: string;
  readonly begunAt?: number;
  readonly endedAt?: number;
  readonly generation?: string;
  readonly messageId?: string;
  readonly lastChange?: { readonly importId: string; readonly line: number };
}

/** An import as its row says. */
export interface ImportRow {
  readonly sha256: string;
  readonly importId: string;
  readonly begunAt: number;
  endedAt: number | undefined;
}

/** What truly happened to files of changes, and to persons. Times are epoch milliseconds. */
export class ImportHistory {
  readonly files: PutFile[] = [];
  readonly reports: { readonly key: string; readonly text: string }[] = [];
  /** In the order in which they had their turn. */
  readonly imports: ImportRow[] = [];
  /** Each time that a row says of itself which line has changed it. */
  readonly changes: { readonly row: string; readonly importId: string; readonly line: number }[] = [];
  /** By UIN, what was stored from a time on; undefined: nothing. */
  readonly people = new Map<string, { readonly at: number; readonly attributes: Attributes | undefined }[]>();
  readonly mints: { readonly number: number; readonly isKeyed: boolean; readonly uin: string | undefined }[] = [];
  readonly reads: {
    readonly uin: string;
    readonly from: number;
    readonly to: number;
    readonly status: number;
    readonly attributes: Attributes;
  }[] = [];
  /** The topic of changes from a time on; undefined: there was none. */
  readonly topic: { readonly at: number; readonly generation: string | undefined }[] = [
    { at: 0, generation: undefined },
  ];
  /** The messages that imports have published. */
  readonly published: string[] = [];

  /** Notes a change of a row of whichever table. */
  note(table: string, { partition, sort }: Key, before: Item | undefined, row: Row | undefined, at: number): void {
    if (table === 'persons') this.#notePerson(partition, row, at);
    if (table === 'topics' && partition === topicOfChanges) this.topic.push({ at, generation: row?.generation });
    if (table === 'deliveries' && sort === publicationKey && before === undefined && row?.messageId !== undefined)
      if (copyAtWork()?.facts.name === 'importChanges') this.published.push(row.messageId);
  }

  #notePerson(id: string, row: Row | undefined, at: number): void {
    const [kind, name = ''] = id.split(/#(.*)/);
    if (kind === 'person') {
      const versions = this.people.get(name) ?? [];
      this.people.set(name, [...versions, { at, attributes: row?.attributes }]);
    }
    if (kind === 'import' && row?.runId !== undefined && row.importId !== undefined) {
      const known = this.imports.find(({ sha256 }) => sha256 === name);
      if (known !== undefined) known.endedAt = row.endedAt;
      else
        this.imports.push({ sha256: name, importId: row.importId, begunAt: row.begunAt ?? at, endedAt: row.endedAt });
    }
    if (row?.lastChange === undefined) return;
    const { importId, line } = row.lastChange;
    this.changes.push({ row: id, importId, line });
  }
}
