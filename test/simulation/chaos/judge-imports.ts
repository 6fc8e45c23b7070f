import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { nameUuid } from '../../../shared/domain/name-uuid.ts';
import type { ImportHistory, PutFile } from './import-history.ts';
import { applyFile, type FileOutcome, type World } from './import-model.ts';
import { keepsDocuments, keepsPeople } from './judge-people.ts';
import { type Broken, excerpt, type Judged } from './judged.ts';
import { importedUins, others } from './plan-imports.ts';

interface Report {
  readonly file: string;
  readonly versionId?: string;
  readonly repeats?: { readonly file: string };
  readonly unreadable?: string;
  readonly lines: number;
  readonly applied: Readonly<Record<string, number>>;
  readonly repeated: number;
  readonly refused: number;
  readonly refusedLines: readonly { readonly line: number; readonly field: string; readonly reason: string }[];
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const reportsOf = ({ reports }: ImportHistory, { file, versionId }: PutFile): Report[] =>
  reports
    .filter(({ key }) => key === `${file.key}.report.json`)
    .map(({ text }) => JSON.parse(text) as Report)
    .filter((report) => report.versionId === versionId);

const hasNoTopic = ({ field, reason }: Report['refusedLines'][number]): boolean =>
  field === 'publish' && reason.startsWith('has no topic');

/** Each line of each file is applied once, in the order of its file, and reported so; nobody else is changed. */
export function* importsFiles(judged: Judged): Generator<Broken> {
  const { imports: history, deadLetters, plan } = judged;
  if (!plan.hasImports) return;
  // Somebody has to put that back.
  if ((deadLetters.get('importsDeadLetters') ?? []).length > 0) return;
  const world: World = {
    people: new Map(others.map((uin) => [uin, { lastName: uin }])),
    gone: new Set(),
    minted: [],
    documents: new Map([...importedUins, ...others].map((uin) => [uin, uin])),
    ids: new Set(),
  };
  for (const { sha256, importId, endedAt } of history.imports) {
    const puts = history.files.filter(({ text }) => hashOf(text) === sha256);
    const [first] = puts;
    if (endedAt === undefined) yield { invariant: 'an import comes to its end', what: sha256 };
    if (first === undefined) {
      yield { invariant: 'an import is of a file that was put', what: sha256 };
      continue;
    }
    const reports = puts.flatMap((one) => reportsOf(history, one));
    const own = reports.filter(({ repeats }) => repeats === undefined);
    if (own.length === 0) yield { invariant: 'an import is reported', what: first.file.key };
    const noTopic = new Set((own[0]?.refusedLines ?? []).filter(hasNoTopic).map(({ line }) => line));
    yield* lacksTopic(judged, first, noTopic, history.imports.find((one) => one.sha256 === sha256)?.begunAt ?? 0);
    const outcome = applyFile(first.file, world, noTopic);
    for (const report of own) yield* tells(report, outcome, first);
    yield* publishes(judged, importId, outcome);
  }
  yield* ofEachFile(history);
  yield* keepsPeople(judged, world);
  yield* keepsDocuments(judged, world);
}

/** A line is refused for want of a topic only where there was none. */
function* lacksTopic(
  { imports, plan }: Judged,
  { file }: PutFile,
  lines: ReadonlySet<number>,
  since: number,
): Generator<Broken> {
  const wasMissing = imports.topic.some(
    ({ generation }, index) =>
      generation === undefined && (imports.topic[index + 1]?.at ?? Infinity) >= since - plan.skewMs - plan.readLagMs,
  );
  for (const line of lines) {
    if (file.lines[line - 1]?.change?.publish !== true || !wasMissing)
      yield { invariant: 'a topic is missed only where there is none', what: `${file.key} line ${line}` };
  }
}

/** Every file that was put has its report; of bytes that came before, that says so. */
function* ofEachFile(history: ImportHistory): Generator<Broken> {
  for (const put of history.files) {
    if (reportsOf(history, put).length === 0)
      yield { invariant: 'every file has its report', what: `${put.file.key} ${put.versionId}` };
  }
}

function* tells(report: Report, { counts, refusedLines }: FileOutcome, { file }: PutFile): Generator<Broken> {
  const { lines, applied, repeated, refused } = report;
  const said = {
    counts: { lines, applied, repeated, refused },
    refusedLines: report.refusedLines.map(({ line }) => line),
  };
  if (!isDeepStrictEqual(said, { counts, refusedLines }))
    yield {
      invariant: 'a report is right',
      what: `${file.key}: ${excerpt(said)}, not ${excerpt({ counts, refusedLines })}`,
    };
  if ((report.unreadable !== undefined) !== (counts.lines === 0))
    yield { invariant: 'a file is read to its end', what: `${file.key}: ${report.unreadable}` };
}

/** A line that says so is told of under one id for each life of the topic; what subscribers got is the line's. */
function* publishes({ imports, history }: Judged, importId: string, { events }: FileOutcome): Generator<Broken> {
  const generations = imports.topic.flatMap(({ generation }) => generation ?? []);
  for (const [line, { subject, ...event }] of events) {
    const ids = generations.map((generation) => nameUuid('change', importId, String(line), generation));
    const published = ids.filter((id) => imports.published.includes(id));
    if (published.length === 0) yield { invariant: 'a change is told of', what: `${importId} line ${line}` };
    for (const id of published) {
      const message = history.messages.get(id);
      if (message?.subject !== subject)
        yield { invariant: 'a change is told of as it is', what: `${id}: ${message?.subject}, not ${subject}` };
      for (const { body } of history.posts.filter((post) => post.messageId === id && post.type === 'Notification'))
        if (!isDeepStrictEqual({ ...JSON.parse(body), ...event, source: 'import' }, JSON.parse(body)))
          yield { invariant: 'a change is told of as it is', what: `${id}: ${excerpt(body)}, not ${excerpt(event)}` };
    }
  }
}
