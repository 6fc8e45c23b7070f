import type { Attributes } from '../persons/attributes.ts';
import type { EventType } from '../topics/event.ts';
import type { Changeable } from './last-change.ts';
import type { LateRefusal } from './late-refusals.ts';
import type { Change } from './parse-change.ts';

/** A change of one person, who is named. */
export type ChangeOfOne = Exclude<Change, { change: 'merge' }> & { readonly uin: string };

type Decided =
  | { readonly refused: LateRefusal }
  | {
      /** The person as it is from now on; undefined: nobody has the UIN any more. */
      readonly after: Attributes | undefined;
      readonly event?: EventType;
    };

/**
 * What a change makes of the person whom it is about, and which event fits it.
 */
export function decideChange(change: ChangeOfOne, { attributes: before, isGone }: Changeable): Decided {
  if (change.change === 'register') {
    if (before !== undefined) return { refused: 'taken' };
    return isGone ? { refused: 'gone' } : { after: change.attributes, event: 'newPerson' };
  }
  if (before === undefined) return { refused: 'unknown' };
  if (change.change === 'remove') return { after: undefined };
  const kept = Object.entries(before).filter(([name]) => !change.removed.includes(name));
  const after = { ...Object.fromEntries(kept), ...change.attributes };
  const hasDied = before.dateOfDeath === undefined && after.dateOfDeath !== undefined;
  return { after, event: hasDied ? 'death' : 'updatePerson' };
}
