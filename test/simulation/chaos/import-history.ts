import { publicationKey } from '../../../shared/domain/deliveries/task.ts';
import { topicUuid } from '../../../shared/domain/topics/topic.ts';
import type { Item } from '../../../shared/storage/dynamo.ts';
import type { Key } from '../dynamodb/memory-table.ts';
import { currentInstance } from '../lambda/platform.ts';
import type { PlannedFile } from './plan-imports.ts';
import { settings } from './world.ts';

const topicOfChanges = topicUuid(settings.changesTopic);

/** An uploaded file, with the version id from its S3 event. */
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
  readonly keptUin?: string;
  readonly expiresAt?: number;
  readonly lastChange?: { readonly importId: string; readonly line: number };
}

/** An import, as the service stores it. */
interface ImportRow {
  readonly sha256: string;
  readonly importId: string;
  readonly begunAt: number;
  endedAt: number | undefined;
}

/** Records what happened to import files and persons. All times are epoch milliseconds. */
export class ImportHistory {
  readonly files: PutFile[] = [];
  readonly reports: { readonly key: string; readonly text: string }[] = [];
  /** All imports in the order of their start times. */
  readonly imports: ImportRow[] = [];
  /** The row changes that imports made, each with the number of its import line. */
  readonly changes: { readonly row: string; readonly importId: string; readonly line: number }[] = [];
  /** The versions of each person, keyed by UIN and valid from `at`. `attributes` is undefined if no person existed. */
  readonly people = new Map<string, { readonly at: number; readonly attributes: Attributes | undefined }[]>();
  readonly registrations: { readonly number: number; readonly isKeyed: boolean; readonly uin: string | undefined }[] =
    [];
  readonly reads: {
    readonly uin: string;
    readonly from: number;
    readonly to: number;
    readonly status: number;
    readonly attributes: Attributes;
  }[] = [];
  /** The generations of the topic for import events, valid from `at`, or undefined while the topic did not exist. */
  readonly topic: { readonly at: number; readonly generation: string | undefined }[] = [
    { at: 0, generation: undefined },
  ];
  /** The ids of the messages that imports have published. */
  readonly published: string[] = [];

  /** Records a change to a row of any table. */
  recordChange(
    table: string,
    { partition, sort }: Key,
    before: Item | undefined,
    row: Row | undefined,
    at: number,
  ): void {
    if (table === 'persons') this.#recordPerson(partition, row, at);
    if (table === 'topics' && partition === topicOfChanges) this.topic.push({ at, generation: row?.generation });
    if (table === 'deliveries' && sort === publicationKey && before === undefined && row?.messageId !== undefined)
      if (currentInstance()?.facts.name === 'importChanges') this.published.push(row.messageId);
  }

  #recordPerson(id: string, row: Row | undefined, at: number): void {
    const [kind, name = ''] = id.split(/#(.*)/);
    if (kind === 'person') {
      const versions = this.people.get(name) ?? [];
      this.people.set(name, [...versions, { at, attributes: row?.attributes }]);
    }
    if (kind === 'import' && row?.runId !== undefined && row.importId !== undefined) {
      const existing = this.imports.find(({ sha256 }) => sha256 === name);
      if (existing !== undefined) existing.endedAt = row.endedAt;
      else
        this.imports.push({ sha256: name, importId: row.importId, begunAt: row.begunAt ?? at, endedAt: row.endedAt });
    }
    // A removal also sets an expiry time in the rows of former UINs, without changing `lastChange`.
    if (row?.lastChange === undefined || (row.keptUin !== undefined && row.expiresAt !== undefined)) return;
    const { importId, line } = row.lastChange;
    this.changes.push({ row: id, importId, line });
  }
}
