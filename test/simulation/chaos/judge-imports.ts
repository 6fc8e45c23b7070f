import { isDeepStrictEqual } from 'node:util';
import { hashOfFile } from '../../../shared/domain/imports/file-name.ts';
import { nameUuid } from '../../../shared/domain/name-uuid.ts';
import { type Evidence, excerpt, type Violation, violation } from './evidence.ts';
import type { ImportHistory, PutFile } from './import-history.ts';
import { applyFile, type FileOutcome, isRefused, type World } from './import-model.ts';
import { keepsDocuments, keepsPeople } from './judge-people.ts';
import { importedUins, untouchedUins } from './plan-imports.ts';

interface Report {
  readonly file: string;
  readonly versionId?: string;
  readonly repeats?: { readonly file: string };
  readonly unreadable?: string;
  readonly lines: number;
  readonly applied: Readonly<Record<string, number>>;
  readonly repeated: number;
  readonly rejected: number;
  readonly rejectedLines: readonly { readonly line: number; readonly field: string; readonly reason: string }[];
}

const hashOf = ({ file, text }: PutFile): string => hashOfFile(file.key).update(text).digest('hex');

const reportsOf = ({ reports }: ImportHistory, { file, versionId }: PutFile): Report[] =>
  reports
    .filter(({ key }) => key === `${file.key}.report.json`)
    .map(({ text }) => JSON.parse(text) as Report)
    .filter((report) => report.versionId === versionId);

const hasNoTopic = ({ field, reason }: Report['rejectedLines'][number]): boolean =>
  field === 'publish' && reason.startsWith('has no topic');

/** Checks that each line of a file is applied and reported once, in file order, and that no other person changes. */
export function* importsFiles(evidence: Evidence): Generator<Violation> {
  const { imports: history, deadLetters, plan } = evidence;
  if (!plan.hasImports) return;
  // Imports with dead letters are not checked, because an operator must first move the dead letters back to the queue.
  if ((deadLetters.get('importsDeadLetters') ?? []).length > 0) return;
  const world: World = {
    people: new Map(untouchedUins.map((uin) => [uin, { lastName: uin }])),
    deleted: new Set(),
    generated: [],
    documents: new Map([...importedUins, ...untouchedUins].map((uin) => [uin, uin])),
    ids: new Set(),
  };
  for (const { sha256, importId, endedAt } of history.imports) {
    const puts = history.files.filter((put) => hashOf(put) === sha256);
    const [first] = puts;
    if (endedAt === undefined) yield violation('every import ends', sha256);
    if (first === undefined) {
      yield violation('an import reads a complete uploaded file', sha256);
      continue;
    }
    const reports = puts.flatMap((one) => reportsOf(history, one));
    const own = reports.filter(({ repeats }) => repeats === undefined);
    if (own.length === 0) yield violation('every import has a report', first.file.key);
    const noTopic = new Set((own[0]?.rejectedLines ?? []).filter(hasNoTopic).map(({ line }) => line));
    yield* rejectsOnlyForMissingTopic(
      evidence,
      first,
      noTopic,
      history.imports.find((one) => one.sha256 === sha256)?.begunAt ?? 0,
    );
    const outcome = applyFile(first.file, world, noTopic);
    for (const report of own) yield* reportsRightCounts(report, outcome, first);
    yield* publishesChanges(evidence, importId, outcome);
  }
  yield* reportsEveryFile(history);
  yield* keepsPeople(evidence, world);
  yield* keepsDocuments(evidence, world);
}

/** Checks that a line is rejected for a missing topic only if the line requests an event and the topic was missing. */
function* rejectsOnlyForMissingTopic(
  { imports, plan }: Evidence,
  { file }: PutFile,
  lines: ReadonlySet<number>,
  since: number,
): Generator<Violation> {
  const wasMissing = imports.topic.some(
    ({ generation }, index) =>
      generation === undefined && (imports.topic[index + 1]?.at ?? Infinity) >= since - plan.skewMs - plan.readLagMs,
  );
  for (const line of lines) {
    if (file.lines[line - 1]?.change?.publish !== true || !wasMissing)
      yield violation(
        'a line is rejected for a missing topic only if the topic is missing',
        `${file.key} line ${line}`,
      );
  }
}

/** Checks that every uploaded file has a report. */
function* reportsEveryFile(history: ImportHistory): Generator<Violation> {
  for (const put of history.files) {
    if (reportsOf(history, put).length === 0)
      yield violation('every uploaded file has a report', `${put.file.key} ${put.versionId}`);
  }
}

function* reportsRightCounts(
  report: Report,
  { counts, rejectedLines }: FileOutcome,
  { file }: PutFile,
): Generator<Violation> {
  const { lines, applied, repeated, rejected } = report;
  const said = {
    counts: { lines, applied, repeated, rejected },
    rejectedLines: report.rejectedLines.map(({ line }) => line),
  };
  if (!isDeepStrictEqual(said, { counts, rejectedLines }))
    yield violation(
      'a report has the right counts',
      `${file.key}: ${excerpt(said)}, not ${excerpt({ counts, rejectedLines })}`,
    );
  if ((report.unreadable !== undefined) !== isRefused(file))
    yield violation(
      'only empty files and files with malformed lines are unreadable',
      `${file.key}: ${report.unreadable}`,
    );
}

/**
 * Checks that an event is published for each change that requests one, and that each event matches its import line. The
 * message id depends on the topic's generation.
 */
function* publishesChanges(
  { imports, history }: Evidence,
  importId: string,
  { events }: FileOutcome,
): Generator<Violation> {
  const generations = imports.topic.flatMap(({ generation }) => generation ?? []);
  for (const [line, { subject, ...event }] of events) {
    const ids = generations.map((generation) => nameUuid('change', importId, String(line), generation));
    const published = ids.filter((id) => imports.published.includes(id));
    if (published.length === 0) yield violation('a change is published', `${importId} line ${line}`);
    for (const id of published) {
      const message = history.messages.get(id);
      if (message?.subject !== subject)
        yield violation('a published event matches its import line', `${id}: ${message?.subject}, not ${subject}`);
      for (const { body } of history.posts.filter((post) => post.messageId === id && post.type === 'Notification'))
        if (!isDeepStrictEqual({ ...JSON.parse(body), ...event, source: 'import' }, JSON.parse(body)))
          yield violation(
            'a published event matches its import line',
            `${id}: ${excerpt(body)}, not ${excerpt(event)}`,
          );
    }
  }
}
