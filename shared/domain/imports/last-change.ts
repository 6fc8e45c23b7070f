import type { Registered } from '../../model/persons/registered.ts';
import type { Attributes } from '../persons/attributes.ts';
import type { EventType } from '../topics/event.ts';
import type { LateRefusal } from './late-refusals.ts';

/** One line of an import, which is applied once. */
export interface LineOfImport {
  readonly importId: string;
  readonly line: number;
}

/** Why a line has changed nobody. */
export type Unchanged = 'repeated' | LateRefusal;

/** What a person's row remembers of the last line that changed it, so that the same lines may come again. */
export interface LastChange extends LineOfImport {
  /** What subscribers were to be told of it. */
  readonly event?: EventType | undefined;
  /** The lines before it, of its chunk and about this person, that changed nothing. */
  readonly unchanged: Readonly<Record<string, Unchanged>>;
}

/** A person as changes find it. */
export interface Changeable {
  /** Undefined where nobody has the UIN. */
  readonly attributes?: Attributes | undefined;
  readonly lastChange?: LastChange | undefined;
  /** Somebody had the UIN, who was removed or merged with another. */
  readonly isGone?: boolean;
}

/** What is to become of one person. */
export interface PersonChange {
  readonly uin: string;
  /** As it was read. */
  readonly before: Changeable;
  /** Undefined: nobody has the UIN from now on. */
  readonly after: Attributes | undefined;
  /** Where nobody has the UIN from now on: whose documents theirs are. */
  readonly mergedInto?: string;
  readonly lastChange: LastChange;
  /** Under a number that was drawn, which must not be one of somebody who is gone. */
  readonly isDrawn?: true;
  /** Where the person comes into the registry. */
  readonly registered?: Registered;
}

/** What is left of a change that is known by an id, so that another of this id is a repeat. */
export interface Mark extends LineOfImport {
  readonly id: string;
  readonly uin: string;
}

/** Until when is kept what a change leaves: epoch seconds. */
export interface KeptUntil {
  readonly mark: number;
  /** What is remembered of who is gone. */
  readonly gone: number;
}

/** What became of a line that may have come before: a later one of its import has changed the person, or it has itself. */
export function earlierOutcome(
  last: LastChange | undefined,
  { importId, line }: LineOfImport,
): Unchanged | 'applied' | undefined {
  if (last?.importId !== importId || line > last.line) return undefined;
  return last.unchanged[line] ?? 'applied';
}
