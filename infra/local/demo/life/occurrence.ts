import type { Attributes, AttributeValue } from '../../../../shared/domain/persons/attributes.ts';
import type { EventType } from '../../../../shared/domain/topics/event.ts';

/** One change of the registry, as a file of changes has it; null removes an attribute. */
export type Change =
  | { readonly change: 'register'; readonly uin: string; readonly attributes: Attributes }
  | { readonly change: 'update'; readonly uin: string; readonly attributes: AttributeChanges }
  | { readonly change: 'merge'; readonly keep: string; readonly duplicates: readonly string[] }
  | { readonly change: 'remove'; readonly uin: string };

export type AttributeChanges = Readonly<Record<string, AttributeValue | null>>;

/** Somebody whom the registry gave a UIN when the birth was declared. */
export interface Minted {
  readonly uin: string;
  readonly attributes: Attributes;
}

/** Something that happened to people, as the civil registry hears of it. */
export interface Occurrence {
  /** ISO 8601. */
  readonly date: string;
  readonly minted?: Minted;
  /** In their order; none where nothing that the registry keeps has changed. */
  readonly changes: readonly Change[];
  /** What is published: the fields of its type (OSIA notification 1.2.0). */
  readonly event: { readonly type: EventType; readonly body: Readonly<Record<string, string | readonly string[]>> };
}

/** The system that tells the registry of all this. */
export const source = 'civil-registry';

export const occurrence = (
  date: string,
  type: EventType,
  body: Readonly<Record<string, string | readonly string[]>>,
  changes: readonly Change[],
  minted?: Minted,
): Occurrence => ({
  date,
  ...(minted && { minted }),
  changes,
  event: { type, body: { source, ...body } },
});
