import { publish } from '../../delivery/publish.ts';
import {
  earlierOutcome,
  type LastChange,
  type LateRejection,
  type LineOfImport,
  type Mark,
  type PersonChange,
  type PersonState,
  type Unchanged,
} from '../../domain/imports/decide-change.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import type { Change } from '../../domain/imports/parse-change.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { nameUuid } from '../../domain/name-uuid.ts';
import type { Registered } from '../../domain/persons/mint-uin.ts';
import { dayMs, isoTime } from '../../domain/time.ts';
import type { EventType } from '../../domain/topics/event.ts';
import { type StoredTopic, uuidOfTopic } from '../../domain/topics/topic.ts';
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

export interface CurrentLine extends CurrentImport {
  readonly by: LineOfImport;
}

/** Returns the topic named in the `changesTopic` setting, if the topic exists. */
export const topicOfChanges = async ({ settings, topics }: ImportTools): Promise<StoredTopic | undefined> =>
  settings.changesTopic === '' ? undefined : topics.get(uuidOfTopic(settings.changesTopic));

/**
 * Publishes the event about a line's change, if the line requests this. The message id is derived from the line, so it
 * is the same if the line is processed again.
 */
export async function publishChange(
  change: Change,
  subject: EventType | undefined,
  persons: { readonly uin: string; readonly duplicates?: readonly string[] },
  { by, topic, tools }: CurrentLine,
): Promise<void> {
  if (!change.publish || subject === undefined || topic === undefined) return;
  const messageId = nameUuid('change', by.importId, String(by.line), topic.generation);
  const body = JSON.stringify({ source: change.source, ...persons });
  await publish(topic, { subject, contentType: 'application/json', body, messageId }, tools);
}

export const lastChangeOf = (uin: string, { by, unchanged }: CurrentLine, event?: EventType): LastChange => ({
  ...by,
  event,
  unchanged: unchanged.get(uin) ?? {},
});

const markName = (id: string): string => `id ${id}`;

export const markOf = ({ id }: Change, { by }: CurrentLine, uin: string): Mark | undefined =>
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

// Only one import runs at a time, so conflicts are rare.
const maxTries = 10;

interface Line {
  /** The UINs of all persons whom the line is about. The row of the first person records the event. */
  readonly uins: readonly [string, ...string[]];
  readonly decide: (states: readonly PersonState[]) =>
    | { readonly rejected: LateRejection }
    | {
        readonly changes: readonly Omit<PersonChange, 'lastChange'>[];
        readonly event?: EventType | undefined;
      };
  /** Runs after the changes, and again if the line is processed again. @param before the state of the first person */
  readonly runAfterEffects: (before: PersonState, event: EventType | undefined) => Promise<void>;
}

/**
 * Returns whether an earlier line applied a change with this id. A marker from a later line is ignored: it shows that
 * this line is being processed again.
 */
async function isRepeated({ id }: Change, { by, tools }: CurrentLine): Promise<boolean> {
  const mark = id === undefined ? undefined : await tools.personChanges.marked(markName(id), tools.now());
  return mark !== undefined && !(mark.importId === by.importId && mark.line >= by.line);
}

/** Applies a line exactly once, even if the line is processed again. */
export async function applyOnce(
  change: Change,
  current: CurrentLine,
  { uins, decide, runAfterEffects }: Line,
): Promise<Outcome> {
  const { by, tools, topic, unchanged } = current;
  /** Records that the line changed nothing. The record is stored with the next change of each person. */
  const record = (how: Unchanged): Unchanged => {
    for (const uin of uins) unchanged.set(uin, { ...unchanged.get(uin), [by.line]: how });
    return how;
  };
  for (let tries = 0; tries < maxTries; tries++) {
    const [isRepeat, ...states] = await Promise.all([
      isRepeated(change, current),
      ...uins.map((uin) => tools.personChanges.personState(uin, tools.hashUin(uin))),
    ]);
    const [first = {}] = states;
    const [earlier] = states.flatMap(({ lastChange }) => earlierOutcome(lastChange, by) ?? []);
    if (earlier === 'applied') {
      if (first.lastChange?.line === by.line) await runAfterEffects(first, first.lastChange.event);
      return earlier;
    }
    if (earlier !== undefined) return record(earlier);
    if (isRepeat) return record('repeated');
    const decided = decide(states);
    if ('rejected' in decided) return record(decided.rejected);
    if (change.publish && topic === undefined) return record('noTopic');
    const { changes, event } = decided;
    const changed = changes.map((one, index) => {
      const lastChange = lastChangeOf(one.uin, current, index === 0 ? event : undefined);
      return { ...one, lastChange };
    });
    const applied = await tools.personChanges.apply(changed, markOf(change, current, uins[0]), applying(tools));
    if (applied.is === 'marked' && !isSameLine(applied.by, by)) return record('repeated');
    // If the same line wrote the marker, an earlier write succeeded although its response was lost.
    if (applied.is !== 'conflict') {
      await runAfterEffects(first, event);
      return 'applied';
    }
  }
  throw new InternalError('personContended', by);
}
