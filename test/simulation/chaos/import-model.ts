import type { PlannedChange, PlannedFile } from './plan-imports.ts';

type Attributes = Readonly<Record<string, string>>;

/** The expected state of the registry after the lines of all files have been applied in order. */
export interface World {
  readonly people: Map<string, Attributes>;
  /** The UINs of merged or removed persons. */
  readonly deleted: Set<string>;
  /** The attributes of persons whose UINs the registry generated. */
  readonly generated: Attributes[];
  /**
   * Maps the UIN of a document's first owner to the UIN of its current owner, or to undefined if the document has been
   * deleted.
   */
  readonly documents: Map<string, string | undefined>;
  /** The values of the `id` field in the applied changes. */
  readonly ids: Set<string>;
}

/** The expected outcome of a file. */
export interface FileOutcome {
  readonly counts: {
    readonly lines: number;
    readonly applied: Record<PlannedChange['change'], number>;
    repeated: number;
    rejected: number;
  };
  readonly rejectedLines: number[];
  /** The expected events, keyed by line number. An event has no `uin` if the registry generated the UIN. */
  readonly events: Map<
    number,
    { readonly subject: string; readonly uin?: string; readonly duplicates?: readonly string[] }
  >;
}

/** Applies a change. Returns the subject of the change's event, or the reason why the change was not applied. */
function apply(
  change: PlannedChange,
  { people, deleted, generated, documents, ids }: World,
): 'rejected' | 'repeated' | { subject?: string } {
  const { uin = '', keep = '', duplicates = [], id, attributes = {} } = change;
  if (id !== undefined && ids.has(id)) return 'repeated';
  const isNamed = change.uin !== undefined;
  if (change.change === 'merge' && [keep, ...duplicates].some((one) => !people.has(one))) return 'rejected';
  if (change.change === 'register' && isNamed && (people.has(uin) || deleted.has(uin))) return 'rejected';
  if ((change.change === 'update' || change.change === 'remove') && !people.has(uin)) return 'rejected';
  if (id !== undefined) ids.add(id);
  const given = Object.entries(attributes);
  const values = Object.fromEntries(given.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  const changeOwner = (from: string, to: string | undefined) => {
    for (const [whose, owner] of documents) if (owner === from) documents.set(whose, to);
  };
  switch (change.change) {
    case 'register':
      if (isNamed) people.set(uin, values);
      else generated.push(values);
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
      deleted.add(uin);
      changeOwner(uin, undefined);
      return {};
    case 'merge':
      for (const one of duplicates) {
        people.delete(one);
        deleted.add(one);
        changeOwner(one, keep);
      }
      return { subject: 'duplicatePerson' };
  }
}

/** Returns whether a file is rejected because it is empty or has malformed lines. */
export const isRefused = ({ lines, skipsMalformed }: PlannedFile): boolean =>
  lines.every((line) => line === undefined) ||
  (!skipsMalformed && lines.some((line) => line !== undefined && line.change === undefined));

/**
 * Applies the lines of a file.
 * @param hasNoTopic the numbers of the lines that were rejected because the topic did not exist
 */
export function applyFile(file: PlannedFile, world: World, hasNoTopic: ReadonlySet<number>): FileOutcome {
  const { lines } = file;
  const applied = { register: 0, update: 0, merge: 0, remove: 0 };
  const counts = { lines: lines.filter((line) => line !== undefined).length, applied, repeated: 0, rejected: 0 };
  const outcome: FileOutcome = { counts, rejectedLines: [], events: new Map() };
  for (const [index, line] of lines.entries()) {
    if (line === undefined || (isRefused(file) && line.change !== undefined)) continue;
    const { change } = line;
    const number = index + 1;
    const done = change === undefined || hasNoTopic.has(number) ? 'rejected' : apply(change, world);
    if (done === 'rejected') {
      counts.rejected += 1;
      outcome.rejectedLines.push(number);
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
