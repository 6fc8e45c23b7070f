import { dayMs } from '../domain/day-ms.ts';
import { importLimits } from '../domain/imports/import-limits.ts';
import type { KeptUntil, LastChange, LineOfImport, Mark, Unchanged } from '../domain/imports/last-change.ts';
import type { Change } from '../domain/imports/parse-change.ts';
import { isoTime } from '../domain/iso-time.ts';
import type { EventType } from '../domain/topics/event.ts';
import type { Registered } from '../model/persons/registered.ts';
import type { StoredTopic } from '../model/topics/topic.ts';
import type { ImportTools } from '../registry/import/import-tools.ts';

/** What became of a line. */
export type Outcome = 'applied' | Unchanged;

/** A chunk that is being worked on. */
export interface AtWork {
  readonly importId: string;
  /** The key of its file. */
  readonly file: string;
  /** Where events of lines are published; undefined where there is no such topic. */
  readonly topic: StoredTopic | undefined;
  readonly tools: ImportTools;
  /** Of each person, the lines of this chunk that changed nothing. */
  readonly unchanged: Map<string, Readonly<Record<string, Unchanged>>>;
}

/** Notes that a line about a person has changed nothing: the next that does will remember. */
export function noteUnchanged(uin: string, line: number, how: Unchanged, { unchanged }: AtWork): Unchanged {
  unchanged.set(uin, { ...unchanged.get(uin), [line]: how });
  return how;
}

/** The same of a line about several: any of them may be the one that changes next. */
export function noteAllUnchanged(uins: readonly string[], line: number, how: Unchanged, work: AtWork): Unchanged {
  for (const uin of uins) noteUnchanged(uin, line, how, work);
  return how;
}

/** What a person's row remembers from now on. */
export const lastChangeOf = (uin: string, by: LineOfImport, work: AtWork, event?: EventType): LastChange => ({
  ...by,
  event,
  unchanged: work.unchanged.get(uin) ?? {},
});

const markName = (id: string): string => `id ${id}`;

/** The mark that a change of this id leaves. */
export const markOf = ({ id }: Change, by: LineOfImport, uin: string): Mark | undefined =>
  id === undefined ? undefined : { ...by, id: markName(id), uin };

/** Whether a change of this id was applied before this line. What a later line left is no mark yet: the line comes again. */
export async function isRepeated({ id }: Change, by: LineOfImport, { persons, now }: ImportTools): Promise<boolean> {
  const mark = id === undefined ? undefined : await persons.marked(markName(id), now());
  return mark !== undefined && !(mark.importId === by.importId && mark.line >= by.line);
}

/** Until when is kept what a change leaves, in epoch seconds: who is gone, as long as the journal tells of them. */
export function keptUntil({ now, settings }: ImportTools): KeptUntil {
  const after = (days: number): number => Math.floor((now() + days * dayMs) / 1000);
  const { markDays } = importLimits;
  return { mark: after(markDays), gone: after(Math.max(markDays, settings.journalDays)) };
}

/** What a row says of the line by which a person came into the registry. */
export const registeredBy = ({ file, tools }: AtWork): Registered => ({
  registeredBy: file,
  registeredAt: isoTime(tools.now()),
});

/** Whether a mark is that of this line itself, which comes again. */
export const isOwn = (by: LineOfImport, { importId, line }: LineOfImport): boolean =>
  by.importId === importId && by.line === line;
