import { type Protocol, protocols } from '../subscriptions/subscription.ts';

/** What a queue holds. A lane delays nothing by itself: what is delayed in it was held up by a limit of ours. */
export interface Held {
  /** Messages that are shown, or being worked on. */
  readonly waiting: number;
  readonly delayed: number;
}

/** A queue that what is looked for may wait in. */
export interface LaneLoad extends Held {
  /** How many messages its workers take off it in a second, at the least. */
  readonly perSecond: number;
}

/** What the sweeper does with a row whose time has come and gone. Milliseconds from now until it looks again. */
export type Look =
  | {
      readonly is: 'putOff';
      readonly forMs: number;
      readonly isPutOff: boolean;
      readonly leftOut?: readonly Protocol[];
    }
  | { readonly is: 'sent'; readonly forMs: number }
  | { readonly is: 'stuck' }
  | AuditInPart;

/** A publication is audited but for these protocols, whose lanes are held up or have not served what they hold: no look is counted. */
interface AuditInPart {
  readonly is: 'inPart';
  readonly forMs: number;
  readonly isPutOff: boolean;
  readonly leftOut: readonly Protocol[];
}

interface Looked {
  /** How often it was sent again without an outcome. */
  readonly resumes: number;
  /** It was put off until the lane had served what it held then. */
  readonly isPutOff: boolean;
  readonly lanes: readonly LaneLoad[];
  /** The wait after the first look. */
  readonly everyMs: number;
  /** What lanes serve within that time is no reason to wait. */
  readonly quickMs: number;
}

/** A row is sent again so often; then it is stuck. */
export const mostResumes = 3;
const longestMs = 12 * 3600 * 1000;
const heldUpMs = 15 * 60 * 1000;

/**
 * Whether to send again what has no outcome. What waits in its lane is not lost: it is put off until the lane has served all
 * that it holds now, and what has no outcome then is sent again whatever the lane holds. A lane that is held up serves
 * nothing. Each time it is sent again the next look is four times as far away, and after the third it is stuck.
 */
export function decideLook({ resumes, isPutOff, lanes, everyMs, quickMs }: Looked): Look {
  if (lanes.some(({ delayed }) => delayed > 0)) return { is: 'putOff', forMs: heldUpMs, isPutOff: false };
  const servedMs = Math.max(0, ...lanes.map(({ waiting, perSecond }) => (waiting / perSecond) * 1000));
  if (!isPutOff && servedMs > quickMs) {
    return { is: 'putOff', forMs: Math.round(Math.min(servedMs, longestMs)) + everyMs, isPutOff: true };
  }
  return resumes >= mostResumes ? { is: 'stuck' } : { is: 'sent', forMs: everyMs * 4 ** (resumes + 1) };
}

interface Audited extends Looked {
  /** Where its payload waits. */
  readonly lanes: readonly LaneLoad[];
  /** Where each protocol's first attempts wait. */
  readonly lanesOf: Readonly<Record<Protocol, readonly LaneLoad[]>>;
  /** The protocols that the last audit has left out. */
  readonly leftOut: readonly Protocol[];
}

/**
 * Decides on the audit of a publication. One protocol's lane holds up no other's: an audit sends again all that it finds open, so
 * that it leaves out the protocols whose lanes are held up or hold much. It is not made anew before one of those can be looked at.
 */
export function decideAudit({ lanesOf, leftOut, ...looked }: Audited): Look {
  const whole = decideLook(looked);
  if (whole.is === 'putOff') return whole;
  // What lanes held when they were left out they have served by now.
  const isPutOffBefore = looked.isPutOff && leftOut.length > 0;
  const waits = protocols.flatMap((protocol) => {
    const look = decideLook({ ...looked, resumes: 0, isPutOff: isPutOffBefore, lanes: lanesOf[protocol] });
    return look.is === 'putOff' ? [{ ...look, protocol }] : [];
  });
  if (waits.length === 0) return whole;
  const now = waits.map(({ protocol }) => protocol);
  const forMs = Math.min(...waits.map((wait) => wait.forMs));
  const isPutOff = waits.some((wait) => wait.isPutOff);
  const isMadeAlready = leftOut.length > 0 && leftOut.every((protocol) => now.includes(protocol));
  if (isMadeAlready) return { is: 'putOff', forMs, isPutOff };
  const isNobodyLeft = now.length === protocols.length || whole.is === 'stuck';
  return { is: isNobodyLeft ? 'putOff' : 'inPart', forMs, isPutOff, leftOut: now };
}
