import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { buckets } from '../../../shared/contract/buckets.ts';
import { nameUuid } from '../../../shared/domain/name-uuid.ts';
import type { ImportHistory, PutFile } from './import-history.ts';
import { applyFile, type FileOutcome, type World } from './import-model.ts';
import { documentOf } from './importing.ts';
import type { Broken, Judged } from './judged.ts';
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

const told = (value: unknown): string => String(JSON.stringify(value)).slice(0, 400);

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
    if (first === undefined) continue;
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
    yield { invariant: 'a report is right', what: `${file.key}: ${told(said)}, not ${told({ counts, refusedLines })}` };
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
          yield { invariant: 'a change is told of as it is', what: `${id}: ${told(body)}, not ${told(event)}` };
    }
  }
}

const sorted = (values: readonly unknown[]): string[] => values.map((value) => canonical(value as object)).toSorted();
const canonical = (value: object): string =>
  JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));

function* keepsPeople({ imports }: Judged, { people, minted }: World): Generator<Broken> {
  const times = Map.groupBy(imports.changes, ({ row, importId, line }) => `${row} ${importId} ${line}`);
  for (const [what, { length }] of times) if (length > 1) yield { invariant: 'a line is applied once', what };
  const present = new Map(
    [...imports.people].flatMap(([uin, all]) => {
      const { attributes } = all.at(-1) ?? {};
      return attributes === undefined ? [] : [[uin, attributes] as const];
    }),
  );
  for (const uin of [...importedUins, ...others]) {
    if (!isDeepStrictEqual(present.get(uin), people.get(uin)))
      yield {
        invariant: 'everybody is as their lines say',
        what: `${uin}: ${told(present.get(uin))}, not ${told(people.get(uin))}`,
      };
    present.delete(uin);
  }
  const { true: byApi = [], false: byLine = [] } = Object.groupBy([...present], ([, { firstName }]) =>
    String(String(firstName).startsWith('minted ')),
  );
  const [found, expected] = [sorted(byLine.map(([, attributes]) => attributes)), sorted(minted)];
  if (!isDeepStrictEqual(found, expected))
    yield { invariant: 'a UIN is minted once for a line', what: `${told(found)}, not ${told(expected)}` };
  for (const { number, isKeyed, uin } of imports.mints) {
    const theirs = byApi.filter(([, { firstName }]) => firstName === `minted ${number}`).map(([one]) => one);
    const isRight = uin === undefined ? theirs.length <= 1 : theirs.includes(uin) && (!isKeyed || theirs.length === 1);
    if (!isRight) yield { invariant: 'who was minted is there', what: `${uin}: ${theirs.join(', ')}` };
  }
}

function* keepsDocuments({ bucket }: Judged, { documents }: World): Generator<Broken> {
  const prefix = buckets.documents.documents;
  const present = Map.groupBy(bucket.objects(prefix), ([, bytes]) => bytes.toString());
  for (const [whose, owner] of documents) {
    const found = (present.get(documentOf(whose)) ?? []).map(([key]) => key.slice(prefix.length).split('/')[0]);
    const expected = owner === undefined ? [] : [owner];
    if (!isDeepStrictEqual(found, expected))
      yield {
        invariant: 'documents go where their persons go',
        what: `${whose}: ${found.join()}, not ${expected.join()}`,
      };
  }
}

/** Whoever reads a person meanwhile gets them as they were at some moment of that. */
export function* readsPeople({ imports, plan }: Judged): Generator<Broken> {
  for (const { uin, from, to, status, attributes } of imports.reads) {
    if (status >= 500) continue;
    const versions = imports.people.get(uin) ?? [];
    const was = versions.some(({ at, attributes: stored }, index) => {
      const until = versions[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      if (at > to || until < from - plan.readLagMs) return false;
      return stored === undefined ? status === 404 : isAs(stored, attributes);
    });
    const isBefore = status === 404 && (versions[0]?.at ?? Number.POSITIVE_INFINITY) >= from - plan.readLagMs;
    if (!was && !isBefore)
      yield { invariant: 'a person is read as they were', what: `${uin} at ${from}: ${status} ${told(attributes)}` };
  }
}

const isAs = (stored: Readonly<Record<string, unknown>>, read: Readonly<Record<string, unknown>>): boolean =>
  ['lastName', 'placeOfBirth'].every((name) =>
    typeof read?.[name] === 'object' ? stored[name] === undefined : read?.[name] === stored[name],
  );
