import type { Attributes, AttributeValue } from '../../../../shared/domain/persons/attributes.ts';
import type { EventType } from '../../../../shared/domain/topics/event.ts';

/** One line of an import file. An attribute whose value is null is removed. */
export type Change =
  | { readonly change: 'register'; readonly uin: string; readonly attributes: Attributes }
  | { readonly change: 'update'; readonly uin: string; readonly attributes: AttributeChanges }
  | { readonly change: 'merge'; readonly keep: string; readonly duplicates: readonly string[] }
  | { readonly change: 'remove'; readonly uin: string };

export type AttributeChanges = Readonly<Record<string, AttributeValue | null>>;

export interface Minted {
  readonly uin: string;
  readonly attributes: Attributes;
}

export interface Occurrence {
  /** ISO 8601. */
  readonly date: string;
  readonly minted?: Minted;
  /** The import lines, in order; an empty list if no registered attribute changes. */
  readonly changes: readonly Change[];
  /** The event to publish, with the fields of its type (OSIA notification 1.2.0). */
  readonly event: { readonly type: EventType; readonly body: Readonly<Record<string, string | readonly string[]>> };
}

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
