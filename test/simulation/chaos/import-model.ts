import type { PlannedChange, PlannedFile } from './plan-imports.ts';

type Attributes = Readonly<Record<string, string>>;

/** What files of changes come to, were they applied by hand, one line after the other. */
export interface World {
  readonly people: Map<string, Attributes>;
  /** The UINs of those who were merged or removed. */
  readonly gone: Set<string>;
  /** The persons who got their UIN here. */
  readonly minted: Attributes[];
  /** By the person whose it was in the beginning, whose a document is now; undefined: it is removed. */
  readonly documents: Map<string, string | undefined>;
  /** The `id`s of changes that were applied. */
  readonly ids: Set<string>;
}

/** What a file came to. */
export interface FileOutcome {
  readonly counts: {
    readonly lines: number;
    readonly applied: Record<PlannedChange['change'], number>;
    repeated: number;
    refused: number;
  };
  readonly refusedLines: number[];
  /** By line, what subscribers are told: of somebody whose UIN was minted, `uin` is missing. */
  readonly events: Map<
    number,
    { readonly subject: string; readonly uin?: string; readonly duplicates?: readonly string[] }
  >;
}

/** Whether a line would change anybody, and what is told of it. */
function apply(
  change: PlannedChange,
  { people, gone, minted, documents, ids }: World,
): 'refused' | 'repeated' | { subject?: string } {
  const { uin = '', keep = '', duplicates = [], id, attributes = {} } = change;
  if (id !== undefined && ids.has(id)) return 'repeated';
  const isNamed = change.uin !== undefined;
  if (change.change === 'merge' && [keep, ...duplicates].some((one) => !people.has(one))) return 'refused';
  if (change.change === 'register' && isNamed && (people.has(uin) || gone.has(uin))) return 'refused';
  if ((change.change === 'update' || change.change === 'remove') && !people.has(uin)) return 'refused';
  if (id !== undefined) ids.add(id);
  const given = Object.entries(attributes);
  const values = Object.fromEntries(given.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  const giveDocuments = (from: string, to: string | undefined) => {
    for (const [whose, owner] of documents) if (owner === from) documents.set(whose, to);
  };
  switch (change.change) {
    case 'register':
      if (isNamed) people.set(uin, values);
      else minted.push(values);
      return { subject: 'newPerson' };
    case 'update': {
      const before = people.get(uin) ?? {};
      const left = Object.entries(before).filter(([name]) => attributes[name] !== null);
      people.set(uin, { ...Object.fromEntries(left), ...values });
      const hasDied = before.dateOfDeath === undefined && values.dateOfDeath !== undefined;
      return { subject: hasDied ? 'death' : 'updatePerson' };
    }
    case 'remove':
      people.delete(uin);
      gone.add(uin);
      giveDocuments(uin, undefined);
      return {};
    case 'merge':
      for (const one of duplicates) {
        people.delete(one);
        gone.add(one);
        giveDocuments(one, keep);
      }
      return { subject: 'duplicatePerson' };
  }
}

/** Applies a file. @param hasNoTopic the lines that were refused since there was nowhere to publish them */
export function applyFile({ lines }: PlannedFile, world: World, hasNoTopic: ReadonlySet<number>): FileOutcome {
  const applied = { register: 0, update: 0, merge: 0, remove: 0 };
  const counts = { lines: lines.filter((line) => line !== undefined).length, applied, repeated: 0, refused: 0 };
  const outcome: FileOutcome = { counts, refusedLines: [], events: new Map() };
  for (const [index, line] of lines.entries()) {
    if (line === undefined) continue;
    const { change } = line;
    const number = index + 1;
    const done = change === undefined || hasNoTopic.has(number) ? 'refused' : apply(change, world);
    if (done === 'refused') {
      counts.refused += 1;
      outcome.refusedLines.push(number);
    } else if (done === 'repeated') counts.repeated += 1;
    else if (change !== undefined) {
      applied[change.change] += 1;
      const { uin, keep, duplicates } = change;
      const about = keep ?? uin;
      const event = { subject: done.subject ?? '', ...(about && { uin: about }), ...(duplicates && { duplicates }) };
      if (change.publish) outcome.events.set(number, event);
    }
  }
  return outcome;
}
