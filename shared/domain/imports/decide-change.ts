import * as z from 'zod/mini';
import { type Attributes, storedAttributes } from '../persons/attributes.ts';
import type { Registered } from '../persons/mint-uin.ts';
import { type EventType, eventTypes } from '../topics/event.ts';
import type { Change, LineRejection } from './parse-change.ts';

const maxFormerUins = 100;

/** The reasons for rejecting a valid line that depend on the registry's current state. */
export const lateRejections = {
  taken: { field: 'uin', reason: 'is already registered' },
  deleted: { field: 'uin', reason: 'belonged to a deleted person and cannot be registered again' },
  unknown: { field: 'uin', reason: 'does not exist in this registry' },
  unknownKept: { field: 'keep', reason: 'does not exist in this registry' },
  unknownDuplicate: { field: 'duplicates', reason: 'contains a UIN that does not exist in this registry' },
  tooManyUins: {
    field: 'duplicates',
    reason: `would give the person in keep more than ${maxFormerUins} former UINs, counting those of the duplicates`,
  },
  noTopic: {
    field: 'publish',
    reason: 'has no topic to publish to: create the topic named in the changesTopic setting, or set changesTopic',
  },
} as const satisfies Record<string, LineRejection>;

export type LateRejection = keyof typeof lateRejections;

const lineOfImport = z.object({ importId: z.string(), line: z.int() });
export type LineOfImport = Readonly<z.infer<typeof lineOfImport>>;

/** Records that a change with an `id` was applied, so that a repeated `id` is recognised. */
export const markRow = z.object({ ...lineOfImport.shape, uin: z.string() });
export type Mark = Readonly<z.infer<typeof markRow>> & { readonly id: string };

/**
 * The last import line that changed a person. The person's row stores this line, so that repeating the line has no
 * effect.
 */
const lastChange = z.object({
  ...lineOfImport.shape,
  event: z.optional(z.enum(eventTypes)),
  /** Earlier lines in the same chunk that did not change the person. */
  unchanged: z.record(z.string(), z.enum(['repeated', ...(Object.keys(lateRejections) as LateRejection[])])),
});
export type LastChange = z.infer<typeof lastChange>;
export type Unchanged = LastChange['unchanged'][string];

export const personStateRow = z.object({
  /** The attributes are missing if no person has the UIN. */
  attributes: z.optional(storedAttributes),
  lastChange: z.optional(lastChange),
  /** The UINs of the persons who were merged into this person. */
  formerUins: z.optional(z.array(z.string())),
});
export type PersonState = z.infer<typeof personStateRow> & { readonly isDeleted?: boolean };

export interface PersonChange {
  readonly uin: string;
  readonly before: PersonState;
  /** The new attributes; undefined if the person is removed. */
  readonly after: Attributes | undefined;
  /** The UIN of the kept person, if this person is merged into another person. */
  readonly keptUin?: string;
  /** After a merge, the former UINs of the kept person. */
  readonly formerUins?: readonly string[];
  readonly lastChange: LastChange;
  /** True if the UIN was minted. A minted UIN must not be a retired UIN. */
  readonly isMinted?: true;
  readonly registered?: Registered;
}

/** Returns a person's former UINs after a merge; undefined if there are more than 100. */
export function formerUinsAfter(
  { formerUins = [] }: PersonState,
  duplicates: readonly { readonly uin: string; readonly before: PersonState }[],
): readonly string[] | undefined {
  const added = duplicates.flatMap(({ uin, before }) => [uin, ...(before.formerUins ?? [])]);
  const all = [...new Set([...formerUins, ...added])];
  return all.length > maxFormerUins ? undefined : all;
}

/** Returns the recorded outcome of a line that an earlier run processed; undefined if no outcome is recorded. */
export function earlierOutcome(
  last: LastChange | undefined,
  { importId, line }: LineOfImport,
): Unchanged | 'applied' | undefined {
  if (last?.importId !== importId || line > last.line) return undefined;
  return last.unchanged[line] ?? 'applied';
}

export type SinglePersonChange = Exclude<Change, { change: 'merge' }> & { readonly uin: string };

type Decided =
  | { readonly rejected: LateRejection }
  | {
      readonly after: Attributes | undefined;
      readonly event?: EventType;
    };

/** Decides a person's new state and the event that reports the change. */
export function decideChange(change: SinglePersonChange, { attributes: before, isDeleted }: PersonState): Decided {
  if (change.change === 'register') {
    if (before !== undefined) return { rejected: 'taken' };
    return isDeleted ? { rejected: 'deleted' } : { after: change.attributes, event: 'newPerson' };
  }
  if (before === undefined) return { rejected: 'unknown' };
  if (change.change === 'remove') return { after: undefined };
  const kept = Object.entries(before).filter(([name]) => !change.removed.includes(name));
  const after = { ...Object.fromEntries(kept), ...change.attributes };
  const hasDied = before.dateOfDeath === undefined && after.dateOfDeath !== undefined;
  return { after, event: hasDied ? 'death' : 'updatePerson' };
}
