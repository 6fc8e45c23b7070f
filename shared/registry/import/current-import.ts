import type { LastChange, LineOfImport, Mark, Unchanged } from '../../domain/imports/decide-change.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import type { Change } from '../../domain/imports/parse-change.ts';
import type { Registered } from '../../domain/persons/mint-uin.ts';
import { dayMs, isoTime } from '../../domain/time.ts';
import type { EventType } from '../../domain/topics/event.ts';
import type { StoredTopic } from '../../domain/topics/topic.ts';
import type { ImportTools } from './import-tools.ts';

export type Outcome = 'applied' | Unchanged;

export interface CurrentImport {
  readonly importId: string;
  readonly file: string;
  /** The topic for change events; undefined if the topic does not exist. */
  readonly topic: StoredTopic | undefined;
  readonly tools: ImportTools;
  readonly unchanged: Map<string, Readonly<Record<string, Unchanged>>>;
}

export const lastChangeOf = (uin: string, by: LineOfImport, current: CurrentImport, event?: EventType): LastChange => ({
  ...by,
  event,
  unchanged: current.unchanged.get(uin) ?? {},
});

export const markName = (id: string): string => `id ${id}`;

export const markOf = ({ id }: Change, by: LineOfImport, uin: string): Mark | undefined =>
  id === undefined ? undefined : { ...by, id: markName(id), uin };

/** Returns the expiry time (epoch seconds) of markers and of rows for removed persons. */
export const expiresAt = ({ now }: ImportTools): number => Math.floor((now() + importLimits.markDays * dayMs) / 1000);

export const applying = (tools: ImportTools) => ({
  now: tools.now(),
  expiresAt: expiresAt(tools),
  hashUin: tools.hashUin,
});

export const registeredBy = ({ file, tools }: CurrentImport): Registered => ({
  registeredBy: file,
  registeredAt: isoTime(tools.now()),
});

/** Returns whether the same line of the same import wrote the marker. */
export const isSameLine = (by: LineOfImport, { importId, line }: LineOfImport): boolean =>
  by.importId === importId && by.line === line;
